// The strip that chooses between the results of a run and its messages.
import { Pin } from 'lucide-react';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import type { Choice } from '../../ui/choice-row.tsx';
import { formatDuration, plural } from '../../ui/format.ts';
import { shortSql } from '../../workbench/text/short-sql.ts';
import type { QueryResult, QueryView, ShownPart } from './query-view.ts';

interface ResultTabsProps {
  readonly results: QueryView['results'];
  readonly messages: QueryView['messages'];
  readonly hasPlan: boolean;
  readonly hasComparison: boolean;
  readonly shown: ShownPart;
  readonly onShow: (part: ShownPart) => void;
}

export function ResultTabs({ results, messages, hasPlan, hasComparison, shown, onShow }: ResultTabsProps) {
  const errors = messages.filter(({ tone }) => tone === 'error').length;
  const choices: readonly Choice<ShownPart>[] = [
    ...results.map((result, index) => ({
      id: result.id,
      label: (
        <>
          {result.isKept && <Pin size={11} aria-label="Kept:" />}
          Result {index + 1}
          <small className="result-summary">{resultSummary(result)}</small>
          {results.length > 1 && result.live.state === 'live' && <small className="result-live">live</small>}
        </>
      ),
      title: shortSql(result.sql),
    })),
    {
      id: 'messages',
      className: 'result-messages',
      label: (
        <>
          Messages
          {errors > 0 && <small className="result-errors">{plural(errors, 'error')}</small>}
        </>
      ),
    },
    ...(hasPlan ? [{ id: 'plan', label: 'Plan' } as const] : []),
    ...(hasComparison ? [{ id: 'comparison', label: 'Comparison' } as const] : []),
  ];
  return <ChoiceRow className="result-tabs" label="Results" choices={choices} chosen={shown} onChoose={onShow} />;
}

function resultSummary({ rows, ended, timeMs }: QueryResult): string {
  const count = plural(rows, 'row');
  if (!ended) return `${count} …`;
  return timeMs === null ? count : `${count} · ${formatDuration(timeMs)}`;
}
