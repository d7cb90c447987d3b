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

/** The arguments of a function begin in the register that is its P2; String8 puts the text P4 into the register P2. */
function attachesMemory(program: readonly ProgramStep[], { p2: register, p4: name }: ProgramStep): boolean {
  if (name !== 'sqlite_attach(3)') return false;
  const files = program.filter(({ opcode, p2 }) => opcode === 'String8' && p2 === register);
  return files.length === 1 && (files[0]!.p4 === ':memory:' || files[0]!.p4 === '');
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
