// Examines the program that SQLite makes of a statement (EXPLAIN, sqlite.org/opcode.html) for effects beyond the rows of its own tables.
import type { ProgramStep } from '../runtime/load.ts';

/** VACUUM, and ATTACH of a constant, are nothing but these. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  'Init', 'String8', 'Null', 'Function', 'Expire', 'Vacuum', 'Halt', 'Goto',
]); // prettier-ignore
const MAIN = 0;

/** Whether a program of ATTACH or VACUUM may open or write a file: what is not understood may. ATTACH of ':memory:' and of '' does not. */
export function mayNameFile(program: readonly ProgramStep[]): boolean {
  if (!program.every(({ opcode }) => UNDERSTOOD.has(opcode))) return true;
  // P2 of Vacuum is the register with the name behind INTO.
  if (program.some(({ opcode, p2 }) => opcode === 'Vacuum' && p2 !== 0)) return true;
  return program.some((step) => step.opcode === 'Function' && !attachesMemory(program, step));
}

function attachesMemory(program: readonly ProgramStep[], call: ProgramStep): boolean {
  if (call.p4 !== 'sqlite_attach(3)') return false;
  const file = firstArgument(program, call);
  return file === ':memory:' || file === '';
}

/** The schema that a program of DETACH takes away; null where the name is not plainly a constant. */
export function schemaDetached(program: readonly ProgramStep[]): string | null {
  const call = program.find(({ p4 }) => p4 === 'sqlite_detach(1)');
  const isUnderstood = program.every(({ opcode }) => UNDERSTOOD.has(opcode));
  return call === undefined || !isUnderstood ? null : firstArgument(program, call);
}

/** The arguments of a function begin in the register that is its P2; String8 puts the text P4 into the register P2. */
function firstArgument(program: readonly ProgramStep[], { p2: register }: ProgramStep): string | null {
  const texts = program.filter(({ opcode, p2 }) => opcode === 'String8' && p2 === register);
  return texts.length === 1 ? texts[0]!.p4 : null;
}

/** Whether the program ends after each row, so that it returns at most one row. */
export function returnsOneRow(program: readonly ProgramStep[]): boolean {
  return program.every(({ opcode }, at) => opcode !== 'ResultRow' || program[at + 1]?.opcode === 'Halt');
}

/** Whether the program begins a write transaction on `main`. */
export function writesMain(program: readonly ProgramStep[]): boolean {
  return program.some(({ opcode, p1, p2 }) => opcode === 'Transaction' && p1 === MAIN && p2 > 0);
}

/** Root pages of `main` that the program writes to. Virtual tables have none. */
export function rootsWritten(program: readonly ProgramStep[]): readonly number[] {
  return program.flatMap(({ opcode, p1, p2, p3 }) => {
    if (opcode === 'OpenWrite' && p3 === MAIN) return [p2];
    return opcode === 'Clear' && p2 === MAIN ? [p1] : [];
  });
}
