// The rows that a merge asks about, a page at a time as they come into view: there may be as many as the tables have.
import { useEffect, useRef, useState } from 'react';
import type { MergeQuestion } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { FIRST_QUESTIONS } from '../../state/slices/sources.ts';
import type { ShownMerge } from '../../state/slices/sources.ts';

const PAGE_ROWS = FIRST_QUESTIONS;
const KEPT_PAGES = 30;

/** Undefined: not read yet. */
export type ReadQuestion = (index: number) => MergeQuestion | undefined;

/** Supports only one plan: remount for another one. */
export function useMergeQuestions({ database, first }: ShownMerge, from: number, to: number): ReadQuestion {
  const [, setNews] = useState(0);
  const [pages] = useState(() => new Map<number, readonly MergeQuestion[] | null>([[0, first]]));
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => void (isOver.current = true);
  }, []);
  useEffect(() => {
    const load = async (page: number): Promise<void> => {
      pages.set(page, null);
      try {
        const range = { start: page * PAGE_ROWS, count: PAGE_ROWS };
        const { questions } = await client.call('source.mergeQuestions', { database, ...range });
        pages.set(page, questions);
        for (const key of [...pages.keys()].slice(0, -KEPT_PAGES)) pages.delete(key);
        if (!isOver.current) setNews((count) => count + 1);
      } catch (thrown) {
        if (!isOver.current) notifyFailure(thrown);
      }
    };
    for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS < to; page++) if (!pages.has(page)) void load(page);
  }, [database, pages, from, to]);
  return (index) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}
