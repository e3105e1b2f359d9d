//! Addressed chance: a draw is a function of (seed, stream, key, n) and of nothing else.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014), from `rand_xoshiro`. The way from its
//! output to ranges and orders is ours and pinned by a test, because libraries change theirs.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// One step of the generator from a state.
fn mix(state: u64) -> u64 {
    SplitMix64::seed_from_u64(state).next_u64()
}

/// The generator at an address. Addresses that differ in any part give unrelated draws.
#[derive(Clone, Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// The generator for the `n`th draw of a key in a stream.
    pub fn at(seed: u64, stream: u64, key: u64, n: u64) -> Self {
        let address = mix(mix(mix(seed) ^ stream).wrapping_add(key) ^ n.rotate_left(32));
        Self(SplitMix64::seed_from_u64(address))
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number from 0 to `bound - 1`, without bias (Lemire 2019).
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a draw needs something to draw from");
        let mut wide = u128::from(self.bits()) * u128::from(bound);
        if (wide as u64) < bound {
            let reject = bound.wrapping_neg() % bound;
            while (wide as u64) < reject {
                wide = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (wide >> 64) as u64
    }
}

/// A number made from a name, the same on every machine and in every version (FNV-1a, then mixed).
pub fn salt(name: &str) -> u64 {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mix(hash)
}

/// The seed of game `index` of a batch.
pub fn game_seed(seed: u64, index: u64) -> u64 {
    Draw::at(seed, salt("game"), index, 0).bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved games and common chance between variants depend on these numbers: they never change.
    #[test]
    fn the_generator_and_the_range_are_pinned() {
        let mut draw = Draw::at(1, salt("die"), 2, 3);
        let bits: Vec<u64> = (0..3).map(|_| draw.bits()).collect();
        let mut draw = Draw::at(7, salt("die"), 0, 0);
        let rolls: Vec<u64> = (0..12).map(|_| draw.below(6) + 1).collect();
        assert_eq!(
            (salt("die"), bits, rolls, game_seed(1, 1)),
            (
                11_369_659_932_994_883_052,
                vec![
                    3_922_372_483_515_627_765,
                    10_466_505_812_536_180_650,
                    2_695_286_245_969_534_192
                ],
                vec![1, 3, 3, 3, 6, 4, 2, 2, 2, 4, 3, 2],
                11_217_866_704_654_159_019
            )
        );
    }

    #[test]
    fn a_range_is_even() {
        let mut counts = [0_u32; 6];
        for n in 0..60_000 {
            counts[Draw::at(5, 6, 7, n).below(6) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_600..10_400).contains(count)),
            "{counts:?}"
        );
    }
}
