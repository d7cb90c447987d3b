// The whole database, or only its definitions, as SQL that `sqlite3` reads.
import type { Connection } from '../../engines/engine.ts';
import { dumpParts } from '../dump-parts.ts';
import type { ExportFormat } from '../format.ts';
import { SQL } from './sql.ts';

export const DUMP: ExportFormat = {
  info: {
    id: 'dump',
    label: 'SQL dump',
    extension: 'sql',
    mediaType: 'application/sql',
    options: ['stable'],
    cannotHold: ['Full-text indexes are rebuilt when the dump is read; those without text of their own stay empty.'],
    sources: ['database', 'schema'],
  },
  // The parts already contain the frame of the file and the definitions.
  start: (out, job) =>
    SQL.start(out, { ...job, isFragment: true, several: true, options: { ...job.options, ddl: false } }),
  parts: (connection: Connection, source, { stable }) =>
    dumpParts(connection, source.kind === 'database', null, { isStable: stable }),
};
