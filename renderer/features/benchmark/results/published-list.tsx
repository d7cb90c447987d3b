// Figures that others have published for the same test, with their source and what to know before comparing.
import type { ReactNode } from 'react';
import { PUBLISHED_SOURCES, publishedOf } from '#shared/bench/published.ts';
import { figureText } from './figure-text.ts';

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
      <h3>Published by others</h3>
      <dl className="bench-facts bench-facts-wide">
        {figures.map((figure) => (
          <div key={figure.contender}>
            <dt>{figure.contender}</dt>
            <dd>
              {figureText(figure)} {figure.kind === 'ratio' ? 'of native' : ''}
            </dd>
          </div>
        ))}
      </dl>
      {sources.map(({ id, title, where, conditions }) => (
        <p key={id} className="bench-note">
          {id}: {title}, {where}. {conditions}
        </p>
      ))}
    </section>
  );
}
