// Figures of others beside ours, in the table and in the details of a cell: always said to be published, by whom, and what to know before
// comparing.
import type { ReactNode } from 'react';
import { PUBLISHED_SOURCES, publishedOf, publishedSource } from '#shared/bench/published.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';
import { FactRows } from './fact-rows.tsx';
import { figureText } from './labels.ts';
import type { TableRow } from './table-model.ts';

type Figure = Pick<PublishedFigure, 'contender' | 'kind' | 'value' | 'source'>;

/** @param contender a name, or `best` */
function figureOf<T extends Figure>(figures: readonly T[], contender: string): T | undefined {
  if (contender !== 'best') return figures.find((figure) => figure.contender === contender);
  return [...figures].sort((a, b) => a.value - b.value)[0];
}

export function PublishedCell({ row, contender }: { readonly row: TableRow; readonly contender: string }): ReactNode {
  const figure = figureOf<Figure>(row.published, contender);
  if (!figure) return null;
  const source = publishedSource(figure.source);
  return (
    <span
      className="stack small bench-figure"
      title={`${figure.contender}\n${source.title} (${source.where})\n${source.conditions}`}
    >
      <b>{figureText(figure)}</b>
      <span className="cut fine-print">{contender === 'best' ? figure.contender : source.id}</span>
    </span>
  );
}

interface PublishedListProps {
  readonly suite: string;
  readonly test: string;
  readonly size: number;
}

export function PublishedList({ suite, test, size }: PublishedListProps): ReactNode {
  const figures = publishedOf(suite, test, size);
  if (figures.length === 0) return null;
  const sources = PUBLISHED_SOURCES.filter(({ id }) => figures.some(({ source }) => source === id));
  return (
    <section>
      <h3 className="note bench-heading">Published by others</h3>
      <FactRows
        facts={figures.map((figure) => [
          figure.contender,
          figure.kind === 'ratio' ? `${figureText(figure)} of native` : figureText(figure),
        ])}
      />
      {sources.map(({ id, title, where, conditions }) => (
        <p key={id} className="note bench-note">
          {id}: {title}, {where}. {conditions}
        </p>
      ))}
    </section>
  );
}
