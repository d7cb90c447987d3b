// A test's program as data: written once, interpreted by every driver, shown to users unchanged.
import type { ShownStatement } from '#shared/bench/result.ts';
import type { Random } from '#shared/random.ts';

/**
 * Values a parameter may have. Bindings differ in whether a number arrives as INTEGER or REAL: bind numbers where a column's affinity
 * decides (`VALUES (?)`, `WHERE id = ?`), and write them into the SQL where no column does.
 */
export type Param = null | number | string | Uint8Array;
export type ParamRow = readonly Param[];

export type Step = ExecStep | RunStep | ReadStep | ReopenStep;

/** SQL text with any number of statements, whose rows do not matter. The text is parsed in the time that is measured. */
interface ExecStep {
  readonly do: 'exec';
  readonly sql: string;
}

/** One statement, executed once for each row of parameters. */
interface ParamStep {
  readonly sql: string;
  readonly params: readonly ParamRow[];
  /** `each`: prepared and finalized again for each execution. */
  readonly prepare: 'once' | 'each';
}

/** Without rows. */
export interface RunStep extends ParamStep {
  readonly do: 'run';
}

/** Every value of every row goes to the sink. */
export interface ReadStep extends ParamStep {
  readonly do: 'read';
}

/** Closes the database and opens it again, with the same settings. */
interface ReopenStep {
  readonly do: 'reopen';
}

/** Steps performed by a driver's database; the rest is handled around it. */
export type SqlStep = Exclude<Step, ReopenStep>;

const ONCE: readonly ParamRow[] = [[]];

export const exec = (sql: string): ExecStep => ({ do: 'exec', sql });
export const reopen: ReopenStep = { do: 'reopen' };

export function run(sql: string, params: readonly ParamRow[] = ONCE, prepare: RunStep['prepare'] = 'once'): RunStep {
  return { do: 'run', sql, params, prepare };
}

export function read(sql: string, params: readonly ParamRow[] = ONCE, prepare: ReadStep['prepare'] = 'once'): ReadStep {
  return { do: 'read', sql, params, prepare };
}

/** The steps between BEGIN and COMMIT. */
export function inTransaction(...steps: readonly Step[]): readonly Step[] {
  return [exec('BEGIN'), ...steps, exec('COMMIT')];
}

/** `count` times the same parameters, none unless they are given. */
export function times(count: number, row: ParamRow = []): readonly ParamRow[] {
  return Array.from({ length: count }, () => row);
}

/** `count` keys of 1 to `highest`; some may come more than once. */
export function randomIds(random: Random, count: number, highest: number): readonly ParamRow[] {
  return Array.from({ length: count }, () => [random.between(1, highest)]);
}

/** `count` keys of 1 to `highest`, each once: what is deleted must have been there. */
export function distinctIds(random: Random, count: number, highest: number): readonly ParamRow[] {
  const ids = Array.from({ length: highest }, (_, index) => index + 1);
  for (let at = 0; at < count; at++) {
    const other = random.between(at, highest - 1);
    [ids[at], ids[other]] = [ids[other]!, ids[at]!];
  }
  return ids.slice(0, count).map((id) => [id]);
}

const SHOWN_CHARACTERS = 2_000;

const SHOWN_STEPS = 60;

/** Steps for display: repeated statements are counted; long scripts and lists are cut, with a note of what is left out. */
export function showSteps(part: ShownStatement['part'], steps: readonly Step[]): readonly ShownStatement[] {
  const shown: { readonly part: ShownStatement['part']; readonly sql: string; times: number }[] = [];
  let left = 0;
  for (const step of steps) {
    const times = step.do === 'exec' || step.do === 'reopen' ? 1 : step.params.length;
    const sql = step.do === 'reopen' ? '-- the database is closed and opened again' : shortened(step.sql);
    const last = shown.at(-1);
    if (last?.sql === sql) last.times += times;
    else if (shown.length < SHOWN_STEPS) shown.push({ part, sql, times });
    else left++;
  }
  return left === 0 ? shown : [...shown, { part, sql: `-- and ${left} statements more`, times: 1 }];
}

function shortened(sql: string): string {
  if (sql.length <= SHOWN_CHARACTERS) return sql;
  return `${sql.slice(0, SHOWN_CHARACTERS)}\n-- and ${sql.length - SHOWN_CHARACTERS} characters more`;
}
