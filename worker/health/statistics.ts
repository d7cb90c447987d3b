// Statistics that ANALYZE stored in a database (sqlite.org/fileformat2.html#stat1tab).
import type { HealthOverview } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';

export function statisticsOf(connection: Connection): HealthOverview['statistics'] {
  const indexed = "SELECT DISTINCT tbl_name FROM main.sqlite_schema WHERE type = 'index'";
  const tables = Number(connection.one(`SELECT count(*) FROM (${indexed})`)![0]);
  if (!hasStatistics(connection)) return { tables, analyzed: 0 };
  const analyzed = connection.one(`SELECT count(*) FROM (${indexed} INTERSECT SELECT tbl FROM main.sqlite_stat1)`);
  return { tables, analyzed: Number(analyzed![0]) };
}

export const hasStatistics = (connection: Connection): boolean =>
  connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1' AND type = 'table'") !== null;
