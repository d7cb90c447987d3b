// `sidelite schema`: the definitions of a database, as SQL, as JSON, or as types of a program.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import type { TableDetail } from '#shared/protocol/schema.ts';
import { drizzleTables } from './drizzle-tables.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { jsonLine, printText } from './io.ts';
import { UsageError } from './parse.ts';
import { rowTypes } from './row-types.ts';

const FORMS = ['sql', 'json', 'typescript', 'kysely', 'drizzle'] as const;
const HAS_ROWS: readonly string[] = ['table', 'view', 'virtual'];

export async function runSchema(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine, tell } = session;
  const chosen = FORMS.filter((form) => options.flag(form) === true);
  if (chosen.length > 1) throw new UsageError(`Choose one of ${FORMS.map((form) => `--${form}`).join(', ')}.`);
  const form = chosen[0] ?? 'sql';
  const path = session.pathOf(operands[0]!);
  const database = await engine.open(path, { access: 'read' });
  const { objects } = await engine.client.call('schema.get', { database });
  if (form === 'sql') {
    const shown = objects.filter(({ kind, sql }) => sql !== null && kind !== 'shadow');
    await printText(shown.map(({ sql }) => `${asStatement(sql!)}\n`).join(''));
    return { exitCode: EXIT.done, summary: null };
  }
  const tables: TableDetail[] = [];
  let isPartial = false;
  for (const { kind, name, problem } of objects) {
    if (!HAS_ROWS.includes(kind) || /^sqlite_/i.test(name)) continue;
    if (problem === null) tables.push(await engine.client.call('schema.table', { database, table: name }));
    else tell.say(`“${name}” was left out: ${problem}`);
    isPartial ||= problem !== null;
  }
  const others = objects.filter(({ kind }) => kind === 'index' || kind === 'trigger');
  const json = { ok: true, command: 'schema', tables, others: others.map(({ kind, name, tableName, sql }) => ({ kind, name, tableName, sql })) }; // prettier-ignore
  await printText(
    form === 'json' ? jsonLine(json) : form === 'drizzle' ? drizzleTables(tables) : rowTypes(tables, form),
  );
  return { exitCode: isPartial ? EXIT.partly : EXIT.done, summary: null };
}
