// Operations that draw the rows of a result.
import type { ChartOperations } from '#shared/protocol/chart.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { chartData } from '../readers/chart/chart-data.ts';
import { columnContents, columnExtremes } from '../readers/chart/column-contents.ts';
import { resultOf } from './rows.ts';
import type { OperationSession } from '../sessions/session.ts';

export const chartHandlers: Handlers<ChartOperations, OperationSession> = {
  'chart.columns'({ reader }, { session }) {
    const { rows, layout } = resultOf(session, reader);
    return { rows: rows.rowCount, columns: columnContents(rows, layout.columns) };
  },

  'chart.read'({ reader, chart }, { session, id: call, onCancel }) {
    const result = resultOf(session, reader);
    const title = `Drawing ${result.title}`;
    return result.overRows(title, { call, onCancel }, (turn, rows) => chartData(turn, rows, chart));
  },

  'chart.extremes'({ reader, column }, { session, id: call, onCancel }) {
    const result = resultOf(session, reader);
    const title = `Reading ${result.title}`;
    return result.overRows(title, { call, onCancel }, (turn, rows) => columnExtremes(turn, rows, column));
  },
};
