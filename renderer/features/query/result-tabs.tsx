// The strip that chooses between the results of a run and its messages.
import { Pin } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { formatDuration, plural } from '../../ui/format.ts';
import { shortSql } from '../../workbench/short-sql.ts';
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
  const parts: readonly ShownPart[] = [
    ...results.map(({ id }) => id),
    'messages',
    ...(hasPlan ? ['plan' as const] : []),
    ...(hasComparison ? ['comparison' as const] : []),
  ];
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = parts[parts.indexOf(shown) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onShow(next);
    (event.currentTarget.children[parts.indexOf(next)] as HTMLElement).focus();
  };
  const tab = (part: ShownPart) =>
    ({
      role: 'tab',
      'aria-selected': shown === part,
      tabIndex: shown === part ? 0 : -1,
      onClick: () => onShow(part),
    }) as const;
  const errors = messages.filter(({ tone }) => tone === 'error').length;
  return (
    <div className="result-tabs" role="tablist" aria-label="Results" onKeyDown={move}>
      {results.map((result, index) => (
        <button key={result.id} type="button" className="result-tab" title={shortSql(result.sql)} {...tab(result.id)}>
          {result.isKept && <Pin size={11} aria-label="Kept:" />}
          Result {index + 1}
          <small>{resultSummary(result)}</small>
          {results.length > 1 && result.live.state === 'live' && <small className="result-live">live</small>}
        </button>
      ))}
      <button type="button" className="result-tab" {...tab('messages')}>
        Messages
        {errors > 0 && <small className="result-errors">{plural(errors, 'error')}</small>}
      </button>
      {hasPlan && (
        <button type="button" className="result-tab" {...tab('plan')}>
          Plan
        </button>
      )}
      {hasComparison && (
        <button type="button" className="result-tab" {...tab('comparison')}>
          Comparison
        </button>
      )}
    </div>
  );
}

function resultSummary({ rows, ended, timeMs }: QueryResult): string {
  const count = plural(rows, 'row');
  if (!ended) return `${count} …`;
  return timeMs === null ? count : `${count} · ${formatDuration(timeMs)}`;
}
