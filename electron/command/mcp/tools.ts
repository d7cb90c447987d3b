// The tools that an assistant is offered. Nothing in them comes from a database: names and values there are data, and may have been made to
// be taken for instructions.
import type { McpSettings } from './settings.ts';

export type ToolName =
  | 'databases'
  | 'schema'
  | 'search'
  | 'query'
  | 'explain'
  | 'statistics'
  | 'diff'
  | 'propose'
  | 'decision';
/** What the process with the databases answers. */
export type EngineCall = Exclude<ToolName, 'decision'> | 'definitions';

interface Argument {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly isRequired?: true;
  /** The greatest number; the least is 1. */
  readonly most?: number;
}

interface Tool {
  readonly name: ToolName;
  readonly description: string;
  readonly arguments: Readonly<Record<string, Argument>>;
}

export type ToolArguments = Readonly<Record<string, string | number | boolean | undefined>>;

const MOST_ROWS = 10_000;

const DATABASE: Argument = {
  type: 'string',
  description: 'Name of the database, as the tool “databases” lists it. May be left out if there is only one.',
};
const NAME: Omit<Argument, 'description'> = { type: 'string', isRequired: true };
const TABLE: Argument = { ...NAME, description: 'Name of the table or view.' };
const SQL: Argument = { ...NAME, description: 'One SQLite statement.' };

const TOOLS: readonly Tool[] = [
  { name: 'databases', description: 'Lists the SQLite databases that can be read.', arguments: {} },
  {
    name: 'schema',
    description:
      'Lists tables and views with columns, types, primary keys (PK), foreign keys (→), and row counts. With “table”, returns one table in full.',
    arguments: {
      database: DATABASE,
      table: { type: 'string', description: 'Only this table or view, with its definition.' },
      samples: { type: 'integer', description: 'With “table”: how many of its rows to show (0).', most: 20 },
    },
  },
  {
    name: 'search',
    description: 'Finds tables, views, and columns whose names contain a text.',
    arguments: { database: DATABASE, text: { type: 'string', description: 'Part of a name.', isRequired: true } },
  },
  {
    name: 'query',
    description:
      'Runs one SELECT, WITH, or VALUES statement of SQLite and returns its rows. Integers beyond 2^53 come as {"integer": "…"}, REAL values without a fraction as {"real": "2.0"}, BLOBs as {"blob": hexadecimal}; the beginning of a long value comes with its size. “cut” says whether there are more rows, and “cursor” continues there.',
    arguments: {
      database: DATABASE,
      sql: SQL,
      limit: { type: 'integer', description: 'The most rows to return (500).', most: MOST_ROWS },
      cursor: { type: 'string', description: 'From the result of the same statement: continues behind its last row.' },
    },
  },
  {
    name: 'statistics',
    description:
      'Describes the values of one column: how many, how many different, least, greatest, mean, storage classes, and the most frequent.',
    arguments: { database: DATABASE, table: TABLE, column: { ...NAME, description: 'Name of the column.' } },
  },
  {
    name: 'explain',
    description:
      'Shows how SQLite would run a statement (EXPLAIN QUERY PLAN) without running it, and indexes that would make it faster, as tried in an empty copy of the schema.',
    arguments: { database: DATABASE, sql: SQL },
  },
  {
    name: 'diff',
    description: 'Shows how the definitions and rows of one database differ from those of another.',
    arguments: {
      from: { ...NAME, description: 'Name of the first database.' },
      to: { ...NAME, description: 'Name of the second database.' },
      table: { type: 'string', description: 'Only this table.' },
    },
  },
  {
    name: 'propose',
    description:
      'Tries SQL that would change the database in a copy, and returns the rows that it would insert, change, and delete. Where the user has the database open in the Sidelite app, this waits until they have kept or discarded the changes there, and “decision” says so. Otherwise nothing is written: show the SQL and the rows to the user, who decides.',
    arguments: {
      database: DATABASE,
      sql: { ...SQL, description: 'One or more SQLite statements.' },
      reason: { type: 'string', description: 'Why, in a sentence or two, for the user.' },
    },
  },
  {
    name: 'decision',
    description: 'Waits for what the user decides about a proposal that was still waiting.',
    arguments: { proposal: { ...NAME, description: 'From the result of “propose”.' } },
  },
];

/** What an assistant may use. Plans and differences name what rules hide. */
function toolsFor({ rules, mayPropose, databases }: McpSettings): readonly Tool[] {
  const isOffered: Partial<Record<ToolName, boolean>> = {
    explain: rules === null,
    diff: rules === null && databases.size > 1,
    propose: mayPropose,
    decision: mayPropose,
  };
  return TOOLS.filter(({ name }) => isOffered[name] !== false);
}

/** As `tools/list` returns them. */
export const listedTools = (settings: McpSettings): readonly unknown[] =>
  toolsFor(settings).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(tool.arguments).map(([name, { type, description, most }]) => [
          name,
          { type, description, ...(most !== undefined && { minimum: 1, maximum: most }) },
        ]),
      ),
      required: Object.entries(tool.arguments).flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: tool.name !== 'propose', openWorldHint: false },
  }));

interface CheckedCall {
  readonly tool: ToolName;
  readonly args: ToolArguments;
}

/** Returns a sentence if the arguments are wrong; null: there is no such tool. */
export function checkedCall(settings: McpSettings, name: unknown, given: unknown): string | CheckedCall | null {
  const tool = toolsFor(settings).find((one) => one.name === name);
  if (tool === undefined) return null;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'The arguments must be an object.';
  const args = new Map(Object.entries(given));
  for (const key of args.keys())
    if (!Object.hasOwn(tool.arguments, key)) return `“${tool.name}” has no argument “${key.slice(0, 100)}”.`;
  for (const [key, { type, isRequired, most }] of Object.entries(tool.arguments)) {
    const value = args.get(key);
    if (value === undefined && isRequired) return `“${tool.name}” needs the argument “${key}”.`;
    if (value === undefined) continue;
    const isRight = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
    if (!isRight) return `The argument “${key}” must be of type ${type}.`;
    if (most !== undefined && ((value as number) < 1 || (value as number) > most))
      return `The argument “${key}” must be from 1 to ${most}.`;
  }
  return { tool: tool.name, args: Object.fromEntries(args) as ToolArguments };
}
