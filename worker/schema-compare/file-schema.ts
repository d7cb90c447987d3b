// The schema of a file that is open nowhere, of SQL or of SQLite: read into a scratch database, which is removed again.
import { counted } from '#shared/counted.ts';
import type { FileSchema } from '#shared/protocol/schema-comparison.ts';
import type { ImportSource } from '#shared/protocol/import.ts';
import type { TransferContents } from '#shared/protocol/transfer.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { WindowSession } from '../sessions/session.ts';
import { openSource, type OpenCall, type TransferContext } from '../transfer/open-source.ts';
import type { ScratchStore } from '../transfer/scratch.ts';

const NAMED_AT_MOST = 3;

/** @throws AppError, leaving nothing behind */
export async function schemaOfFile(
  context: TransferContext,
  scratchStore: ScratchStore,
  window: WindowSession,
  source: ImportSource,
  call: OpenCall,
): Promise<FileSchema> {
  const opened = await openSource(
    context,
    scratchStore,
    window,
    { source, dialect: null, encoding: null, existing: [] },
    call,
  );
  try {
    const schema = readSchemaText(opened.connection);
    const { fileName, sql, notes } = opened.contents;
    // A file of SQL does not say how the file of its database is laid out.
    return {
      fileName,
      schema: sql ? { ...schema, settings: {} } : schema,
      notes: [...(sql ? statementNotes(sql) : []), ...notes],
    };
  } finally {
    opened.connection.close();
    opened.scratch.remove();
  }
}

function statementNotes({ notUnderstood, statements }: NonNullable<TransferContents['sql']>): readonly string[] {
  const named = statements.slice(0, NAMED_AT_MOST).map(({ line, reason }) => `Line ${line} was left out: ${reason}`);
  const more = notUnderstood - named.length;
  return more > 0 ? [...named, `Also left out: ${counted(more, 'statement')}.`] : named;
}
