// `sidelite query`: the rows of SQL that only reads.
import { AppError } from '#shared/protocol/errors.ts';
import type { ReaderId } from '#shared/protocol/index.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { assertOutput, chosenFormat, optionsOf, targetOf } from './export.ts';
import { execute, textOf } from './run.ts';

export async function runQuery(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine, files, tell, signal } = session;
  const [name = '', text = ''] = operands;
  const target = targetOf(session);
  const formats = await engine.client.call('export.formats', {});
  const format = chosenFormat(formats, options.text('format'), target, 'query');
  const exportOptions = optionsOf(options, format);
  const path = session.pathOf(name);
  assertOutput(session, { path, target, format });
  const sql = text === '-' ? await textOf(session, text) : text;
  const database = await engine.open(path, { access: 'read' });
  const readers: ReaderId[] = [];
  const { results } = await execute(session, database, sql, readers);
  if (results !== 1)
    throw AppError.invalid(
      `The SQL returns ${results === 0 ? 'no result' : `${results} results`}, and a query prints exactly one. Run several with “sidelite run”.`,
    );
  const { rows, sizeBytes, notes } = await engine.client.call(
    'export.file',
    {
      database,
      source: { kind: 'result', reader: readers[0]!, sql: null },
      format: format.id,
      options: exportOptions,
      sink: files.addSink(target),
    },
    { signal, onChunk: tell.progress },
  );
  for (const note of notes) tell.say(note);
  return { exitCode: EXIT.done, summary: { output: target, format: format.id, rows, sizeBytes, notes } };
}
