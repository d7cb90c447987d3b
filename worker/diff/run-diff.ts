// Runs one comparison of two databases from their snapshots to the bytes of its output, in slices between which it can be stopped.
import type { DiffOptions, DiffReply } from '#shared/protocol/diff.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { ByteWriter } from '../export/byte-writer.ts';
import type { ChunkSink } from '../export/format.ts';
import { holdSnapshot } from '../export/run-export.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { assertKnown } from './compared-tables.ts';
import { diffTables, type RowsDiff, type TwoDatabases } from './diff-tables.ts';
import type { DiffWriter, TableNotCompared } from './form.ts';
import { JsonWriter } from './json-writer.ts';
import { Output } from './output.ts';
import { changedObjects, schemaDifference } from './schema-changes.ts';
import { TextWriter } from './text-writer.ts';

/** What a comparison is to write. */
export interface DiffJob {
  readonly options: DiffOptions;
  readonly sink: ChunkSink;
  /** Called now and then. @throws AppError `stopped` */
  readonly report: (progress: Progress) => Promise<void>;
}

const NOTHING: RowsDiff = { isEqual: true, notCompared: [] };

export function* runDiff(
  turn: Turn,
  both: TwoDatabases,
  { options, sink, report }: DiffJob,
): Generator<Pause, DiffReply> {
  const out = new ByteWriter();
  const writer: DiffWriter = options.form === 'json' ? new JsonWriter(out, options) : new TextWriter(out, options);
  const output = new Output(turn, out, sink, report);
  const { beside, release } = holdBoth(both);
  try {
    assertKnown(both.mine, both.theirs, options);
    const schema = schemaDifference(readSchemaText(both.mine), readSchemaText(both.theirs), options.tables, false);
    const objects = changedObjects(schema);
    writer.schema(objects, schema.settings);
    const rows = options.schemaOnly ? NOTHING : yield* output.paced(diffTables({ ...both, beside }, options, writer));
    const isEqual = rows.isEqual && objects.length === 0 && schema.settings.length === 0;
    writer.finish(isEqual, rows.notCompared);
    yield* output.flush();
    return { isEqual, notCompared: notComparedSentences(rows.notCompared) };
  } finally {
    release();
  }
}

/** Both are read as they are now until the release, `theirs` from `mine` too if that is possible, and sees the same. */
export function holdBoth({ mine, theirs }: TwoDatabases): {
  readonly beside: string | null;
  readonly release: () => void;
} {
  const attached = mine.readBeside?.(theirs) ?? null;
  const mark = theirs.commitMark;
  const held = [mine, theirs].map((connection) => holdSnapshot(connection));
  if (attached !== null) held.push(holdSnapshot(mine, attached.schema));
  // Another program may have committed between the two snapshots of one file.
  const isSame = theirs.commitMark === mark;
  return {
    beside: isSame ? (attached?.schema ?? null) : null,
    release() {
      for (const each of held) each();
      attached?.end();
    },
  };
}

export function notComparedSentences(tables: readonly TableNotCompared[]): readonly string[] {
  return tables.flatMap(({ table, why, isElsewhere }) =>
    isElsewhere ? [] : [`The rows of “${table}” were not compared: ${why}`],
  );
}
