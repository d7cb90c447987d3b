// `npm run measure [NAME …]`: measures the real app, prints one table and writes dist/reports/measure.json.
import { join, resolve } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { numberOf, withFolder } from './apps.ts';
import { measureEdit } from './edit.ts';
import { measureEngine } from './engine.ts';
import { measureExport } from './export.ts';
import { measureHealth } from './health.ts';
import { measureHistory } from './history.ts';
import { measureImport } from './import.ts';
import { measureLive } from './live.ts';
import { loadNow } from './machine.ts';
import { measureQuery } from './query.ts';
import { measureRebuild } from './rebuild.ts';
import { Report } from './report.ts';
import { measureEditBesideImport, measureFormats, measureRows } from './rows.ts';
import { measureSchema } from './schema.ts';
import { measureStart } from './start.ts';
import { measureStop } from './stop.ts';
import { measureWork } from './work.ts';

const REPORT_FILE = resolve(import.meta.dirname, '../../dist/reports/measure.json');
/** Makes about 3.2 GB, unless asked for less. */
const IMPORTED_ROWS = numberOf('SIDELITE_IMPORTED_ROWS', 64_000_000);

const MEASURES: Record<string, (report: Report) => Promise<void>> = {
  start: measureStart,
  query: measureQuery,
  edit: measureEdit,
  history: measureHistory,
  stop: measureStop,
  engine: measureEngine,
  live: measureLive,
  import: measureBigImport,
  rows: measureRows,
  formats: measureFormats,
  export: measureExport,
  beside: measureEditBesideImport,
  schema: measureSchema,
  health: measureHealth,
  rebuild: measureRebuild,
  work: measureWork,
};

const report = new Report();
const wanted = process.argv.slice(2);
const load = loadNow();
let failed = false;
for (const [name, measure] of Object.entries(MEASURES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  try {
    await measure(report);
  } catch (error) {
    failed = true;
    report.note(`${name} failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}
report.print();
report.write(REPORT_FILE, { at: new Date().toISOString(), load });
process.exit(failed ? 1 : 0);

function measureBigImport(into: Report): Promise<void> {
  return withFolder((folder) =>
    measureImport(into, makeDatabase(join(folder, 'huge.db'), { kind: 'big', rows: IMPORTED_ROWS })),
  );
}
