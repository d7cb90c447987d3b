// Values offered under a field while the user types in it: chosen with the arrow keys and Enter, or with a click. The focus stays in the field.
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { useLatest } from './use-latest.ts';
import './suggestions.css';

export interface Suggestion {
  readonly id: string;
  /** The value first, then what explains it. */
  readonly parts: readonly string[];
  readonly isNull?: boolean;
}

export interface Suggestions<S extends Suggestion> {
  readonly items: readonly S[];
  /** How many there are, or why there are none. */
  readonly note: string;
  readonly isSearching: boolean;
}

export interface SuggestionSource<S extends Suggestion> {
  /** Names the list. */
  readonly label: string;
  /** @param text null before the user has typed. Returns what ends the search */
  search(text: string | null, onFound: (found: Suggestions<S>) => void): () => void;
}

export interface SuggestionControl<S extends Suggestion> {
  readonly found: Suggestions<S>;
  readonly highlighted: S | null;
  stop(): void;
  /** Moves the highlight. Returns false for keys that mean nothing here. */
  handleKey(event: KeyboardEvent): boolean;
}

const NONE = { items: [], note: '', isSearching: false } as const;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** @param source null where nothing is offered */
export function useSuggestions<S extends Suggestion>(
  source: SuggestionSource<S> | null,
  text: string | null,
): SuggestionControl<S> {
  const [found, setFound] = useState<Suggestions<S>>(NONE);
  const [highlight, setHighlight] = useState(-1);
  const end = useRef<(() => void) | null>(null);
  const asked = useLatest(source);
  const isOffered = source !== null;
  useEffect(() => {
    const searched = asked.current;
    if (!isOffered || !searched) return;
    setHighlight(-1);
    let isCurrent = true;
    const stop = searched.search(text, (now) => isCurrent && setFound(now));
    end.current = stop;
    return () => {
      isCurrent = false;
      stop();
    };
  }, [text, isOffered, asked]);
  const last = found.items.length - 1;
  return {
    found,
    highlighted: found.items[highlight] ?? null,
    stop: () => end.current?.(),
    handleKey({ key, ctrlKey, metaKey, altKey, shiftKey }) {
      const step = STEPS[key];
      if (step === undefined || ctrlKey || metaKey || altKey || shiftKey || last < 0) return false;
      // Up from the first one goes back to the text.
      const next = highlight < 0 ? (step > 0 ? 0 : -1) : Math.max(-1, Math.min(last, highlight + step));
      setHighlight(next);
      return true;
    },
  };
}

interface SuggestionListProps<S extends Suggestion> {
  readonly id: string;
  readonly label: string;
  readonly control: SuggestionControl<S>;
  onChoose(item: S): void;
}

export const suggestionId = (listId: string, item: Suggestion | null): string | undefined =>
  item ? `${listId}-${item.id}` : undefined;

export function SuggestionList<S extends Suggestion>({
  id,
  label,
  control,
  onChoose,
}: SuggestionListProps<S>): ReactNode {
  const { found, highlighted, stop } = control;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [highlighted]);
  return (
    // The pointer takes the focus from nothing: leaving the field would store its text.
    <div
      className="suggestions"
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {/* It scrolls, so it can be reached; the field closes it before Tab leaves. */}
      <ul ref={list} id={id} role="listbox" tabIndex={0} aria-label={label}>
        {found.items.map((item) => (
          <li
            key={item.id}
            id={suggestionId(id, item)}
            role="option"
            aria-selected={item === highlighted}
            data-null={item.isNull || undefined}
            onClick={() => onChoose(item)}
          >
            {item.parts.map((part, at) => (
              <span key={at}>{part}</span>
            ))}
          </li>
        ))}
      </ul>
      <div className="suggestions-note">
        <span role="status">{found.note}</span>
        {found.isSearching && (
          <Button size="small" tabIndex={-1} onClick={stop}>
            Stop
          </Button>
        )}
      </div>
    </div>
  );
}
