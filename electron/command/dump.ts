// `sidelite dump`: a database as SQL, on request in a form that depends on nothing but its content.
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import { unpackedPath } from './archives.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { assertOutput, chosenFormat, targetOf } from './export.ts';

export async function runDump(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine, files, tell, signal } = session;
  const target = targetOf(session);
  const kind = options.flag('schema-only') === true ? 'schema' : 'database';
  const format = chosenFormat(await engine.client.call('export.formats', {}), 'dump', target, kind);
  const path = session.pathOf(operands[0]!);
  assertOutput(session, { path, target, format });
  const database = await engine.open(await unpackedPath(session, path), { access: 'read' });
  const { rows, sizeBytes, notes, isPartial } = await engine.client.call(
    'export.file',
    {
      database,
      source: { kind },
      format: format.id,
      options: { ...DEFAULT_EXPORT_OPTIONS, stable: options.flag('stable') === true },
      sink: files.addSink(target),
    },
    { signal, onChunk: tell.progress },
  );
  for (const note of notes) tell.say(note);
  return {
    exitCode: isPartial === true ? EXIT.partly : EXIT.done,
    summary: { output: target, rows, sizeBytes, notes },
  };
}
