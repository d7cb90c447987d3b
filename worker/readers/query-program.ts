// What only a query's program tells (sqlite.org/opcode.html): that it reads one row by its row id, or tables outside `main`.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';

interface Step {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
}

/** They put what comes out into register P3. */
const COMPUTING_STEPS: ReadonlySet<string> = new Set([
  'Add',
  'Subtract',
  'Multiply',
  'Divide',
  'Remainder',
  'Concat',
  'Function',
  'PureFunc',
  'And',
  'Or',
]);

/** What the program of a lookup of one row may consist of: no loop, no second cursor, no subroutine. Anything else: not sure, so no. */
const LOOKUP_STEPS: ReadonlySet<string> = new Set([
  ...[
    'Init',
    'Explain',
    'Noop',
    'Transaction',
    'Goto',
    'Halt',
    'OpenRead',
    'SeekRowid',
    'Rowid',
    'Column',
    'ResultRow',
  ],
  ...['Variable', 'Integer', 'String8', 'Real', 'Blob', 'Null', 'Copy', 'SCopy', 'Affinity', 'RealAffinity', 'Cast'],
  ...COMPUTING_STEPS,
  ...['CollSeq', 'Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge', 'Not', 'If', 'IfNot', 'IsNull', 'NotNull', 'DecrJumpZero'],
]);

/** The row id of the only row that the query reads, or null when it is not certain that there is such a one. */
export function pinnedRowid(connection: Connection, sql: string, params: readonly Value[]): bigint | null {
  const program = programOf(connection, sql, params);
  if (!program.every(({ opcode }) => LOOKUP_STEPS.has(opcode))) return null;
  const opens = program.filter(({ opcode }) => opcode === 'OpenRead');
  const seeks = program.filter(({ opcode }) => opcode === 'SeekRowid');
  const [open, seek] = [opens[0], seeks[0]];
  if (opens.length !== 1 || seeks.length !== 1 || open!.p1 !== seek!.p1 || open!.p3 !== 0) return null;
  const source = program.filter((step) => writes(step, seek!.p3));
  return source.length === 1 ? rowidOf(source[0]!, params) : null;
}

/** Whether it may put a value into `register`. Columns are read into one only after the seek. */
function writes({ opcode, p1, p2, p3 }: Step, register: number): boolean {
  if (['Null', 'Copy', 'Affinity'].includes(opcode)) return true;
  if (['Variable', 'Integer', 'String8', 'Real', 'Blob', 'SCopy', 'Not'].includes(opcode)) return p2 === register;
  if (opcode === 'Cast') return p1 === register;
  return COMPUTING_STEPS.has(opcode) && p3 === register;
}

function rowidOf({ opcode, p1 }: Step, params: readonly Value[]): bigint | null {
  if (opcode === 'Integer') return BigInt(p1);
  if (opcode !== 'Variable') return null;
  const value = params[p1 - 1];
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as bigint | number) : null;
}

/** @throws AppError `invalid` for a query of temporary or attached tables: nobody tells when these change */
export function refuseOtherDatabases(connection: Connection, sql: string, params: readonly Value[]): void {
  const isInMain = programOf(connection, sql, params).every(({ opcode, p3 }) => opcode !== 'OpenRead' || p3 === 0);
  if (isInMain) return;
  throw new AppError({
    code: 'invalid',
    message: 'This query reads temporary or attached tables, which do not tell when they change. It cannot be live.',
  });
}

function programOf(connection: Connection, sql: string, params: readonly Value[]): readonly Step[] {
  return connection.all(`EXPLAIN ${sql}`, params).map(([, opcode, p1, p2, p3]) => ({
    opcode: String(opcode),
    p1: Number(p1),
    p2: Number(p2),
    p3: Number(p3),
  }));
}
