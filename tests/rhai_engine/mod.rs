//! Rhai's own engine, with what only we have registered.
#![allow(
    dead_code,
    reason = "each test binary uses its own part of what is here"
)]

use rhai::packages::{Package, StandardPackage};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, NativeCallContext};
use yukon::table::value::{LEAST, MOST};

/// The class of an error, in the words of both.
pub(crate) fn class_of_rhai(error: &EvalAltResult) -> String {
    let text = error.to_string().to_lowercase();
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => return class_of_rhai(inner),
        EvalAltResult::ErrorArrayBounds(..) => "index",
        EvalAltResult::ErrorTooManyOperations(_)
        | EvalAltResult::ErrorDataTooLarge(..)
        | EvalAltResult::ErrorStackOverflow(_) => "limit",
        EvalAltResult::ErrorArithmetic(..) if text.contains("by zero") => "division by zero",
        EvalAltResult::ErrorArithmetic(..) => "overflow",
        _ => return format!("other: {error}"),
    }
    .to_owned()
}

pub(crate) fn in_words(value: &Dynamic) -> String {
    if value.is_unit() {
        "()".to_owned()
    } else if let Some(list) = value.read_lock::<Array>() {
        let items: Vec<String> = list.iter().map(in_words).collect();
        format!("[{}]", items.join(", "))
    } else if value.is_string() {
        format!("\"{value}\"")
    } else {
        value.to_string()
    }
}

pub(crate) type Outcome<T> = Result<T, Box<EvalAltResult>>;

pub(crate) fn number(value: Dynamic) -> Outcome<INT> {
    value
        .as_int()
        .map_err(|found| format!("a number is wanted, not {found}").into())
}

pub(crate) fn truth(value: Dynamic) -> Outcome<bool> {
    value
        .as_bool()
        .map_err(|found| format!("a boolean is wanted, not {found}").into())
}

/// The element with the best number, the first of equals.
pub(crate) fn best(
    context: &NativeCallContext,
    list: Array,
    by: &FnPtr,
    better: fn(INT, INT) -> bool,
) -> Outcome<Dynamic> {
    let mut found: Option<(INT, Dynamic)> = None;
    for item in list {
        let key = number(by.call_within_context(context, (item.clone(),))?)?;
        if found.as_ref().is_none_or(|(known, _)| better(key, *known)) {
            found = Some((key, item));
        }
    }
    Ok(found.map_or(Dynamic::UNIT, |(_, item)| item))
}

/// A number that a value can hold; Rhai's own have 64 bits.
fn held(number: Option<INT>) -> Outcome<INT> {
    number
        .filter(|number| (LEAST..=MOST).contains(number))
        .ok_or_else(|| {
            EvalAltResult::ErrorArithmetic("overflow".to_owned(), rhai::Position::NONE).into()
        })
}

/// Makes the numbers of an engine as long as ours.
fn shorten_numbers(engine: &mut Engine) {
    type Checked = fn(INT, INT) -> Option<INT>;
    let zero = || -> Box<EvalAltResult> {
        EvalAltResult::ErrorArithmetic("division by zero".to_owned(), rhai::Position::NONE).into()
    };
    let operators: [(&str, &str, Checked); 3] = [
        ("+", "+=", INT::checked_add),
        ("-", "-=", INT::checked_sub),
        ("*", "*=", INT::checked_mul),
    ];
    for (operator, assigned, checked) in operators {
        engine.register_fn(operator, move |a: INT, b: INT| held(checked(a, b)));
        engine.register_fn(assigned, move |a: &mut INT, b: INT| -> Outcome<()> {
            *a = held(checked(*a, b))?;
            Ok(())
        });
    }
    let divisions: [(&str, &str, Checked); 2] =
        [("/", "/=", INT::checked_div), ("%", "%=", INT::checked_rem)];
    for (operator, assigned, checked) in divisions {
        let divide = move |a: INT, b: INT| match b {
            0 => Err(zero()),
            _ => held(checked(a, b)),
        };
        engine.register_fn(operator, divide);
        engine.register_fn(assigned, move |a: &mut INT, b: INT| -> Outcome<()> {
            *a = divide(*a, b)?;
            Ok(())
        });
    }
    engine.register_fn("-", |number: INT| held(number.checked_neg()));
    engine.register_fn("abs", |number: INT| held(number.checked_abs()));
    engine.set_fast_operators(false);
}

/// Rhai with the verbs that only we have.
pub(crate) fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    StandardPackage::new().register_into_engine(&mut engine);
    shorten_numbers(&mut engine);
    engine.set_optimization_level(rhai::OptimizationLevel::None);
    engine.set_max_operations(2_000_000);
    engine.set_max_call_levels(64);
    engine.set_max_array_size(10_000);
    engine.set_max_string_size(1 << 20);
    engine.set_max_expr_depths(64, 64);
    type Context<'a> = NativeCallContext<'a>;
    engine.register_fn("first", |list: Array| -> Dynamic {
        list.first().cloned().unwrap_or_default()
    });
    engine.register_fn("last", |list: Array| -> Dynamic {
        list.last().cloned().unwrap_or_default()
    });
    engine.register_fn(
        "count",
        |context: Context<'_>, list: Array, by: FnPtr| -> Outcome<INT> {
            let mut count = 0;
            for item in list {
                count += INT::from(truth(by.call_within_context(&context, (item,))?)?);
            }
            Ok(count)
        },
    );
    engine.register_fn(
        "sum",
        |context: Context<'_>, list: Array, by: FnPtr| -> Outcome<INT> {
            let mut sum: INT = 0;
            for item in list {
                let value = number(by.call_within_context(&context, (item,))?)?;
                sum = held(sum.checked_add(value))?;
            }
            Ok(sum)
        },
    );
    engine.register_fn("max_by", |context: Context<'_>, list: Array, by: FnPtr| {
        best(&context, list, &by, |a, b| a > b)
    });
    engine.register_fn("min_by", |context: Context<'_>, list: Array, by: FnPtr| {
        best(&context, list, &by, |a, b| a < b)
    });
    engine.register_fn(
        "sort_by",
        |context: Context<'_>, list: Array, by: FnPtr| -> Outcome<Array> {
            let mut keyed = Vec::new();
            for item in list {
                let key = number(by.call_within_context(&context, (item.clone(),))?)?;
                keyed.push((key, item));
            }
            keyed.sort_by_key(|(key, _)| *key);
            Ok(keyed.into_iter().map(|(_, item)| item).collect())
        },
    );
    engine
}
