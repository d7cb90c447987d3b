// The messages of Hrana 3 over HTTP (github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md) and what is checked of each reply. A
// server is not trusted: every field that is used is checked, and fields the protocol does not know are ignored.
import * as v from 'valibot';
import { checkReply, parseReply } from '../network/reply-json.ts';
import type { EncodedValue } from './values.ts';

/** One statement as JSON text. Parameters go by position, because the text names each parameter by its number. */
export interface RemoteSql {
  readonly sql: string;
  readonly args: readonly EncodedValue[];
  readonly wantRows: boolean;
}

export type Condition =
  | { readonly type: 'ok' | 'error'; readonly step: number }
  | { readonly type: 'not'; readonly cond: Condition }
  | { readonly type: 'and' | 'or'; readonly conds: readonly Condition[] }
  | { readonly type: 'is_autocommit' };

export interface Step {
  readonly statement: RemoteSql;
  readonly condition?: Condition;
}

/** A read that follows waits until a replica has this state. */
export type ReplicationIndex = string;

export function encodeBatch(steps: readonly Step[], atLeast: ReplicationIndex | null): string {
  const parts = steps.map(({ statement, condition }) => {
    const only = condition === undefined ? '' : `"condition":${JSON.stringify(condition)},`;
    const { sql, args, wantRows } = statement;
    return `{${only}"stmt":{"sql":${JSON.stringify(sql)},"args":[${args.join(',')}],"want_rows":${wantRows}}}`;
  });
  const index = atLeast === null ? '' : `,"replication_index":"${atLeast}"`;
  return `{"steps":[${parts.join(',')}]${index}}`;
}

const ErrorSchema = v.object({ message: v.string(), code: v.nullish(v.string()) });
export type ServerError = v.InferOutput<typeof ErrorSchema>;

const count = v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0);
const integerText = v.pipe(v.string(), v.regex(/^-?\d{1,20}$/));
const indexSchema = v.nullish(
  v.union([v.pipe(integerText), v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.transform(String))]),
);
const ColumnSchema = v.object({ name: v.nullish(v.string(), ''), decltype: v.nullish(v.string(), '') });

/** Rows are checked cell by cell when they are decoded: there can be very many. */
const ResultSchema = v.object({
  cols: v.array(ColumnSchema),
  rows: v.array(v.array(v.unknown())),
  affected_row_count: count,
  last_insert_rowid: v.nullish(integerText),
  rows_read: v.nullish(count, 0),
  rows_written: v.nullish(count, 0),
});
export type StatementResult = v.InferOutput<typeof ResultSchema>;

const BatchSchema = v.object({
  step_results: v.array(v.nullable(ResultSchema)),
  step_errors: v.array(v.nullable(ErrorSchema)),
  replication_index: indexSchema,
});
export type BatchResult = v.InferOutput<typeof BatchSchema>;

const DescribeSchema = v.object({
  params: v.array(v.object({ name: v.nullish(v.string()) })),
  cols: v.array(ColumnSchema),
  is_explain: v.boolean(),
  is_readonly: v.boolean(),
});
export type Description = v.InferOutput<typeof DescribeSchema>;

const ResponseSchema = v.variant('type', [
  v.object({ type: v.literal('batch'), result: BatchSchema }),
  v.object({ type: v.literal('describe'), result: DescribeSchema }),
  v.object({ type: v.literal('get_autocommit'), is_autocommit: v.boolean() }),
  v.object({ type: v.literal('close') }),
]);
export type Response = v.InferOutput<typeof ResponseSchema>;

const PipelineSchema = v.object({
  baton: v.nullish(v.string()),
  base_url: v.nullish(v.string()),
  results: v.array(
    v.variant('type', [
      v.object({ type: v.literal('ok'), response: ResponseSchema }),
      v.object({ type: v.literal('error'), error: ErrorSchema }),
    ]),
  ),
});
export type PipelineReply = v.InferOutput<typeof PipelineSchema>;

const CursorHeadSchema = v.object({ baton: v.nullish(v.string()), base_url: v.nullish(v.string()) });
export type CursorHead = v.InferOutput<typeof CursorHeadSchema>;

const EntrySchema = v.variant('type', [
  v.object({ type: v.literal('step_begin'), step: count, cols: v.array(ColumnSchema) }),
  v.object({ type: v.literal('step_end'), affected_row_count: count, last_insert_rowid: v.nullish(integerText) }),
  v.object({ type: v.literal('step_error'), step: count, error: ErrorSchema }),
  v.object({ type: v.literal('row'), row: v.array(v.unknown()) }),
  v.object({ type: v.literal('error'), error: ErrorSchema }),
  v.object({ type: v.literal('replication_index'), replication_index: indexSchema }),
]);
export type CursorEntry = v.InferOutput<typeof EntrySchema>;

export const readPipelineReply = (text: string): PipelineReply => read(PipelineSchema, text);
export const readCursorHead = (text: string): CursorHead => read(CursorHeadSchema, text);

export function readCursorEntry(text: string): CursorEntry {
  const entry = parseReply(text);
  // The hot path: a row is checked cell by cell when it is decoded.
  if (isRow(entry)) return entry;
  return checkReply(EntrySchema, entry);
}

const isRow = (entry: unknown): entry is Extract<CursorEntry, { type: 'row' }> =>
  typeof entry === 'object' &&
  entry !== null &&
  'type' in entry &&
  entry.type === 'row' &&
  'row' in entry &&
  Array.isArray(entry.row);

/** The error a server sends instead of a reply, with a status that says so; null when there is no readable one. */
export function readServerError(text: string): ServerError | null {
  try {
    const value: unknown = JSON.parse(text);
    for (const candidate of [value, (value as { error?: unknown } | null)?.error]) {
      const error = v.safeParse(ErrorSchema, candidate, { abortEarly: true });
      if (error.success) return error.output;
    }
    const told = (value as { error?: unknown } | null)?.error;
    return typeof told === 'string' ? { message: told, code: null } : null;
  } catch {
    return null;
  }
}

const read = <T extends v.GenericSchema>(schema: T, text: string): v.InferOutput<T> =>
  checkReply(schema, parseReply(text));
