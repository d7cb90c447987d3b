// Every kind of tab the window has.
import { BENCHMARK_TAB } from '../features/benchmark/tab-kind.ts';
import { COMPARE_TAB } from '../features/compare/tab-kind.ts';
import { DIAGRAM_TAB } from '../features/diagram/tab-kind.ts';
import { DESIGN_TAB } from '../features/designer/tab-kind.ts';
import { FORM_TAB } from '../features/row-form/tab-kind.ts';
import { HEALTH_TAB } from '../features/health/tab-kind.ts';
import { HISTORY_TAB } from '../features/history/tab-kind.ts';
import { IMPORT_TAB } from '../features/import/tab-kind.ts';
import { QUERY_LOG_TAB } from '../features/query-log/tab-kind.ts';
import { QUERY_TAB } from '../features/query/tab-kind.ts';
import { SAMPLE_ROWS_TAB } from '../features/sample-rows/tab-kind.ts';
import { SCHEMA_COMPARE_TAB } from '../features/schema-compare/tab-kind.ts';
import { SEARCH_TAB } from '../features/search/tab-kind.ts';
import { SAVED_QUERIES_TAB } from '../features/saved-queries/tab-kind.ts';
import { SETTINGS_TAB } from '../features/settings/tab-kind.ts';
import { TABLE_TAB } from '../features/table-data/tab-kind.ts';
import { USES_TAB } from '../features/uses/tab-kind.ts';

export const TAB_KINDS = [
  TABLE_TAB,
  FORM_TAB,
  QUERY_TAB,
  QUERY_LOG_TAB,
  SAVED_QUERIES_TAB,
  HISTORY_TAB,
  COMPARE_TAB,
  BENCHMARK_TAB,
  IMPORT_TAB,
  DIAGRAM_TAB,
  DESIGN_TAB,
  HEALTH_TAB,
  SEARCH_TAB,
  SAMPLE_ROWS_TAB,
  USES_TAB,
  SCHEMA_COMPARE_TAB,
  SETTINGS_TAB,
];
