// Figures of others beside ours: always said to be published, and by whom.
import type { ReactNode } from 'react';
import { publishedSource } from '#shared/bench/published.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';
import { figureText } from './figure-text.ts';
import type { SuiteRow, TestRow } from './table-model.ts';

type Figure = Pick<PublishedFigure, 'contender' | 'kind' | 'value' | 'source'>;

/** @param contender a name, or `best` */
function figureOf<T extends Figure>(figures: readonly T[], contender: string): T | undefined {
  if (contender !== 'best') return figures.find((figure) => figure.contender === contender);
  return [...figures].sort((a, b) => a.value - b.value)[0];
}

export function PublishedCell({ row, contender }: { readonly row: TestRow; readonly contender: string }): ReactNode {
  return <Shown figure={figureOf(row.published, contender)} named={contender === 'best'} />;
}

export function PublishedMean({ row, contender }: { readonly row: SuiteRow; readonly contender: string }): ReactNode {
  return <Shown figure={figureOf(row.published, contender)} named={contender === 'best'} />;
}

function Shown({ figure, named }: { readonly figure: Figure | undefined; readonly named: boolean }): ReactNode {
  if (!figure) return null;
  const source = publishedSource(figure.source);
  return (
    <span
      className="bench-figure"
      title={`${figure.contender}\n${source.title} (${source.where})\n${source.conditions}`}
    >
      <b>{figureText(figure)}</b>
      <span>{named ? figure.contender : source.id}</span>
    </span>
  );
}
