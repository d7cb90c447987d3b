// The parts that a source of an export consists of.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { ExportPart } from './part.ts';
import { queryPart, resultPart } from './result-part.ts';
import type { ExportJob } from './export-job.ts';
import { tablePart } from './table-part.ts';

export function* partsOf(connection: Connection, { source, format, reader }: ExportJob): Generator<ExportPart> {
  if (!format.info.sources.includes(source.kind))
    throw new AppError({
      code: 'unavailable',
      message: `${format.info.label} cannot store this. Choose another format.`,
    });
  const own = format.parts?.(connection, source) ?? null;
  if (own) return yield* own;
  switch (source.kind) {
    case 'table':
      return yield tablePart(connection, source, format.needsKey);
    case 'query':
      return yield queryPart(connection, source.sql);
    case 'result':
      return yield resultPart(connection, reader!, source);
    case 'tables':
      for (const table of source.tables) yield tablePart(connection, { kind: 'table', table }, format.needsKey);
      return;
    case 'schema':
    case 'database':
      return; // a format with its own parts writes these
  }
}
