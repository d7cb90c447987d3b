// What a description of a file may have that the decoder takes at its word and other readers forgive.
import type { ColumnChunk, FileMetaData } from 'hyparquet/src/types.js';
import { lastWhere } from '#shared/binary-search.ts';
import { uniqueNames } from '../csv/column-names.ts';

/** The length of the footer, and the mark at the end of the file. */
const TAIL_BYTES = 8;

/**
 * The root has no repetition, whatever a writer says of it; columns with one name are told apart; and a chunk of an old writer, which did not
 * count the headers of its pages, reaches as far as the next one begins (issues.apache.org/jira/browse/PARQUET-816).
 */
export function forgiven(metadata: FileMetaData, fileBytes: number): FileMetaData {
  const [root, ...elements] = metadata.schema;
  if (root === undefined) return metadata;
  const { repetition_type: _repeated, ...plainRoot } = root;
  const isFlat = root.num_children === elements.length;
  const names = isFlat ? uniqueNames(elements.map(({ name }) => name)) : elements.map(({ name }) => name);
  const isOld = /^impala version 1\.|^parquet-mr version 1\.[01]\b/.test(metadata.created_by ?? '');
  const footer = fileBytes - TAIL_BYTES - metadata.metadata_length;
  const starts = isOld ? metadata.row_groups.flatMap(({ columns }) => columns.map(startOf)).sort((a, b) => a - b) : [];
  const chunk = (column: ColumnChunk, at: number): ColumnChunk => {
    const meta = column.meta_data;
    if (!meta) return column;
    const start = startOf(column);
    const next = isOld ? nextStart(starts, start, footer) : footer;
    const isRenamed = isFlat && meta.path_in_schema.length === 1 && meta.path_in_schema[0] === elements[at]?.name;
    return {
      ...column,
      meta_data: {
        ...meta,
        path_in_schema: isRenamed ? [names[at]!] : meta.path_in_schema,
        total_compressed_size: isOld && next > start ? BigInt(next - start) : meta.total_compressed_size,
      },
    };
  };
  return {
    ...metadata,
    schema: [plainRoot, ...elements.map((element, at) => ({ ...element, name: names[at]! }))],
    row_groups: metadata.row_groups.map((group) => ({ ...group, columns: group.columns.map(chunk) })),
  };
}

/** The first of the sorted places after `start`; the end where there is none before it. */
function nextStart(sorted: readonly number[], start: number, end: number): number {
  const next = lastWhere(sorted.length, (index) => sorted[index]! <= start) + 1;
  return Math.min(end, sorted[next] ?? end);
}

/** Where in the file its first page begins. */
export const startOf = ({ meta_data: meta }: ColumnChunk): number =>
  Number((meta?.dictionary_page_offset || meta?.data_page_offset) ?? 0);
