// Reads from a query's bytecode (sqlite.org/opcode.html) what no API reports: the range of row ids it reads, or that it reads tables
// outside `main`.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';

interface Step {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string;
}

/** The range of row ids a query reads, both ends included. Null: unbounded. */
export interface RowidSpan {
  readonly low: bigint | null;
  readonly high: bigint | null;
}

/** These opcodes write their result to register P3. */
const COMPUTING_STEPS: ReadonlySet<string> = new Set([
  'MakeRecord', 'Add', 'Subtract', 'Multiply', 'Divide', 'Remainder', 'Concat', 'Function', 'PureFunc', 'And', 'Or',
]); // prettier-ignore

/** Opcodes that position a cursor before the first row. */
const SEEKING_STEPS: ReadonlySet<string> = new Set([
  'SeekRowid', 'SeekGE', 'SeekGT', 'SeekLE', 'SeekLT', 'Rewind', 'Last',
]); // prettier-ignore

/**
 * The opcodes allowed in the program of a query that reads one range of a table with one cursor, positioned once. Any other opcode makes it
 * uncertain, so the answer is no.
 */
const STRETCH_STEPS: ReadonlySet<string> = new Set([
  ...['Init', 'Explain', 'Noop', 'Transaction', 'Goto', 'Halt', 'OpenRead', 'Rowid', 'Column', 'ResultRow'],
  ...SEEKING_STEPS,
  ...['Next', 'Prev', 'SorterOpen', 'SorterInsert', 'SorterSort', 'SorterData', 'SorterNext', 'OpenPseudo'],
  ...['Variable', 'Integer', 'String8', 'Real', 'Blob', 'Null', 'Copy', 'SCopy', 'Affinity', 'RealAffinity', 'Cast'],
  ...COMPUTING_STEPS,
  ...['CollSeq', 'Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge', 'Not', 'If', 'IfNot', 'IsNull', 'NotNull', 'DecrJumpZero'],
]);

/** Null when it is not certain that the query reads one range of one table. Rows outside that range do not affect its result. */
export function spanOf(connection: Connection, sql: string, params: readonly Value[]): RowidSpan | null {
  const program = programOf(connection, sql, params);
  if (!program.every(({ opcode }) => STRETCH_STEPS.has(opcode))) return null;
  const opens = program.filter(({ opcode }) => opcode === 'OpenRead');
  const [open] = opens;
  // P4 of an index names its key columns, and only changes of `main` are reported.
  if (opens.length !== 1 || open!.p3 !== 0 || !/^\d*$/.test(open!.p4)) return null;
  const seeks = program.filter(({ opcode, p1 }) => SEEKING_STEPS.has(opcode) && p1 === open!.p1);
  const [seek] = seeks;
  if (seeks.length !== 1) return null;
  const valueIn = (register: number): bigint | null => {
    const sources = program.filter((step) => writes(step, register));
    return sources.length === 1 ? rowidOf(sources[0]!, params) : null;
  };
  const begin = boundOf(seek!.opcode, valueIn(seek!.p3));
  if (seek!.opcode === 'SeekRowid') return begin;
  const end = endOf(program, open!.p1, valueIn);
  const span = { low: begin?.low ?? end?.low ?? null, high: begin?.high ?? end?.high ?? null };
  return span.low === null && span.high === null ? null : span;
}

function boundOf(opcode: string, rowid: bigint | null): RowidSpan | null {
  if (rowid === null) return null;
  switch (opcode) {
    case 'SeekRowid':
      return { low: rowid, high: rowid };
    case 'SeekGE':
      return { low: rowid, high: null };
    case 'SeekGT':
      return { low: rowid + 1n, high: null };
    case 'SeekLE':
      return { low: null, high: rowid };
    case 'SeekLT':
      return { low: null, high: rowid - 1n };
    default:
      return null;
  }
}

/** Each iteration of the loop over the cursor begins with `Rowid` and a comparison that jumps out of the loop. */
function endOf(
  program: readonly Step[],
  cursor: number,
  valueIn: (register: number) => bigint | null,
): RowidSpan | null {
  const index = program.findIndex(({ opcode, p1 }) => (opcode === 'Next' || opcode === 'Prev') && p1 === cursor);
  const step = program[index];
  const [rowid, check] = step ? [program[step.p2], program[step.p2 + 1]] : [];
  if (rowid?.opcode !== 'Rowid' || rowid.p1 !== cursor || check?.p3 !== rowid.p2 || check.p2 < index) return null;
  // The loop ends when the comparison holds.
  const passed = { Gt: 'SeekLE', Ge: 'SeekLT', Lt: 'SeekGE', Le: 'SeekGT' }[check.opcode];
  return passed ? boundOf(passed, valueIn(check.p1)) : null;
}

/** Whether the step may write to `register`. Columns are read into registers only after the seek. */
function writes({ opcode, p1, p2, p3 }: Step, register: number): boolean {
  if (['Null', 'Copy', 'Affinity'].includes(opcode)) return true;
  if (['Variable', 'Integer', 'String8', 'Real', 'Blob', 'SCopy', 'Not', 'SorterData'].includes(opcode))
    return p2 === register;
  if (opcode === 'Cast') return p1 === register;
  return COMPUTING_STEPS.has(opcode) && p3 === register;
}

function rowidOf({ opcode, p1 }: Step, params: readonly Value[]): bigint | null {
  if (opcode === 'Integer') return BigInt(p1);
  if (opcode !== 'Variable') return null;
  const value = params[p1 - 1];
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as bigint | number) : null;
}

/** @throws AppError `invalid` for a query of temporary tables, or of what SQL attached: their changes are not reported */
export function refuseOtherDatabases(connection: Connection, sql: string, params: readonly Value[]): void {
  const others = schemasBesideMain(connection, sql, params);
  if (others.size === 0) return;
  const names = new Map(connection.all('PRAGMA database_list').map(([number, name]) => [Number(number), String(name)]));
  if ([...others].every((number) => connection.attached?.includes(names.get(number) ?? ''))) return;
  throw AppError.invalid(
    'This query reads temporary tables, or a database that SQL attached, which do not report changes. It cannot be live.',
  );
}

/** The numbers of the schemas outside `main` that a query reads. */
export function schemasBesideMain(connection: Connection, sql: string, params: readonly Value[]): ReadonlySet<number> {
  const opens = programOf(connection, sql, params).filter(({ opcode, p3 }) => opcode === 'OpenRead' && p3 !== 0);
  return new Set(opens.map(({ p3 }) => p3));
}

function programOf(connection: Connection, sql: string, params: readonly Value[]): readonly Step[] {
  return connection.all(`EXPLAIN ${sql}`, params).map(([, opcode, p1, p2, p3, p4]) => ({
    opcode: String(opcode),
    p1: Number(p1),
    p2: Number(p2),
    p3: Number(p3),
    p4: typeof p4 === 'string' || typeof p4 === 'number' ? String(p4) : '',
  }));
}
