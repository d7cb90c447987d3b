// The one barrel of the project: everything that crosses a port.
import type { ArchiveOperations } from './archive.ts';
import type { ArrangeOperations } from './arrange.ts';
import type { BenchmarkOperations } from './benchmark.ts';
import type { CellOperations } from './cell.ts';
import type { ChartOperations } from './chart.ts';
import type { CompareOperations } from './compare.ts';
import type { DiffOperations } from './diff.ts';
import type { EditOperations } from './edit.ts';
import type { ExploreOperations } from './explore.ts';
import type { ExportOperations } from './export.ts';
import type { GuardedOperations } from './guarded.ts';
import type { HealthOperations } from './health.ts';
import type { HeldOperations } from './held.ts';
import type { HistoryOperations } from './history.ts';
import type { ImportOperations } from './import.ts';
import type { IndexLabOperations } from './index-lab.ts';
import type { LibraryOperations } from './library.ts';
import type { LiveOperations } from './live.ts';
import type { MergeOperations } from './merge.ts';
import type { PublishOperations } from './publish.ts';
import type { QueryLogOperations } from './query-log.ts';
import type { QueryOperations } from './query.ts';
import type { RemoteOperations } from './remote.ts';
import type { ResultComparisonOperations } from './result-comparison.ts';
import type { RowComparisonOperations } from './row-comparison.ts';
import type { RowsOperations } from './rows.ts';
import type { SampleRowsOperations } from './sample-rows.ts';
import type { SavedQueryOperations } from './saved-queries.ts';
import type { SchemaChangeOperations } from './schema-change.ts';
import type { SchemaComparisonOperations } from './schema-comparison.ts';
import type { SchemaOperations } from './schema.ts';
import type { SessionOperations } from './session.ts';
import type { SourceOperations } from './source.ts';
import type { TransferOperations } from './transfer.ts';

export * from './archive.ts';
export * from './arrange.ts';
export * from './benchmark.ts';
export * from './cell.ts';
export * from './chart.ts';
export * from './compare.ts';
export * from './database-id.ts';
export * from './database-kinds.ts';
export * from './diff.ts';
export * from './edit.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './explore.ts';
export * from './export.ts';
export * from './files.ts';
export * from './guarded.ts';
export * from './health.ts';
export * from './held.ts';
export * from './history.ts';
export * from './import.ts';
export * from './index-lab.ts';
export * from './in-place.ts';
export * from './library.ts';
export * from './merge.ts';
export * from './live.ts';
export * from './own-process.ts';
export * from './publish.ts';
export * from './query-log.ts';
export * from './query.ts';
export * from './remote.ts';
export * from './result-comparison.ts';
export * from './row-comparison.ts';
export * from './rows.ts';
export * from './sample-rows.ts';
export * from './saved-queries.ts';
export * from './schema-change.ts';
export * from './schema-comparison.ts';
export * from './schema-diagram.ts';
export * from './schema.ts';
export * from './session.ts';
export * from './source.ts';
export * from './transfer.ts';
export * from './values.ts';
export * from './version.ts';

/** Every operation a window can ask of the worker. */
export interface Operations
  extends
    LibraryOperations,
    SchemaOperations,
    SchemaChangeOperations,
    SchemaComparisonOperations,
    RowComparisonOperations,
    ResultComparisonOperations,
    RowsOperations,
    ArchiveOperations,
    ArrangeOperations,
    ChartOperations,
    SampleRowsOperations,
    CellOperations,
    EditOperations,
    HeldOperations,
    QueryOperations,
    QueryLogOperations,
    SavedQueryOperations,
    LiveOperations,
    PublishOperations,
    RemoteOperations,
    HealthOperations,
    GuardedOperations,
    IndexLabOperations,
    ExploreOperations,
    HistoryOperations,
    SourceOperations,
    ImportOperations,
    BenchmarkOperations,
    CompareOperations,
    DiffOperations,
    MergeOperations,
    ExportOperations,
    SessionOperations,
    TransferOperations {}
