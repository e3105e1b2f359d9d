//! Functions that look at one thing only: amounts and conditions of modifiers often do. They need no frame.

use crate::script::code::Op;
use crate::table::Value;
use crate::table::ids::FunctionId;

use super::Machine;

impl Machine<'_, '_> {
    /// What a function gives that looks at one thing of an argument, or always gives the same. Nothing if
    /// there is more to it, or if what it looks at is not there: then it must be run.
    pub(in crate::script) fn glance(
        &self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Option<Value> {
        let program = &self.rules.program;
        let entry = program.functions[function.index()].entry as usize;
        let argument = |register: u8| arguments.get(usize::from(register));
        let cells = &self.state.table.cells;
        let (dst, value) = match program.ops[entry] {
            Op::ReturnConstant { index } => return Some(program.constants[usize::from(index)]),
            Op::GetFlag {
                dst,
                object,
                offset,
                of,
            } => {
                let id = self.id_of(*argument(object)?, of)?;
                let set = cells[usize::from(id.wrapping_add(offset))] != 0;
                (dst, Value::from(set))
            }
            Op::GetNumber {
                dst,
                object,
                offset,
                of,
            } => {
                let id = self.id_of(*argument(object)?, of)?;
                let number = cells[usize::from(id.wrapping_add(offset))];
                (dst, Value::from(number))
            }
            Op::GetDial {
                dst,
                from,
                count: 1,
                dial,
            } => {
                let shown = self.dial(dial, std::slice::from_ref(argument(from)?), 1)?;
                (dst, Value::from(shown))
            }
            _ => return None,
        };
        // The generic way stands between.
        match program.ops.get(entry + 2) {
            Some(Op::Return { src }) if *src == dst => Some(value),
            _ => None,
        }
    }
}
