// Values offered under a field while the user types in it: chosen with the arrow keys and Enter, or with a click. The focus stays in the field.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { moveHighlight, suggestFound, type Suggested, type Suggestion, type Suggestions } from './suggested.ts';
import { useLatest } from './use-latest.ts';
import './suggestions.css';

export interface SuggestionSource<S extends Suggestion> {
  readonly label: string;
  /** @param text null before the user has typed. Returns a function that ends the search */
  search(text: string | null, onFound: (found: Suggestions<S>) => void): () => void;
}

export interface SuggestionControl<S extends Suggestion> {
  readonly suggested: Suggested<S>;
  stop(): void;
  /** Moves the highlight. Returns false for keys without a meaning in the list. */
  handleKey(event: KeyboardEvent): boolean;
}

const NONE = { items: [], note: '', isSearching: false, highlighted: null } as const;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** @param source null where nothing is offered */
export function useSuggestions<S extends Suggestion>(
  source: SuggestionSource<S> | null,
  text: string | null,
): SuggestionControl<S> {
  const [suggested, setSuggested] = useState<Suggested<S>>(NONE);
  const end = useRef<(() => void) | null>(null);
  const asked = useLatest(source);
  const isOffered = source !== null;
  useEffect(() => {
    const searched = asked.current;
    if (!isOffered || !searched) return;
    setSuggested((before) => ({ ...before, highlighted: null }));
    let isCurrent = true;
    const stop = searched.search(text, (found) => isCurrent && setSuggested((before) => suggestFound(before, found)));
    end.current = stop;
    return () => {
      isCurrent = false;
      stop();
    };
  }, [text, isOffered, asked]);
  return {
    suggested,
    stop: () => end.current?.(),
    handleKey({ key, ctrlKey, metaKey, altKey, shiftKey }) {
      const step = STEPS[key];
      if (step === undefined || ctrlKey || metaKey || altKey || shiftKey || suggested.items.length === 0) return false;
      setSuggested((before) => moveHighlight(before, step));
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

/** Id of the highlighted suggestion; undefined if none is highlighted. Made from its position, because `id` may be a text of any length. */
export function highlightedId(listId: string, { items, highlighted }: Suggested<Suggestion>): string | undefined {
  return highlighted ? `${listId}-${items.indexOf(highlighted)}` : undefined;
}

export function SuggestionList<S extends Suggestion>({
  id,
  label,
  control,
  onChoose,
}: SuggestionListProps<S>): ReactNode {
  const { suggested, stop } = control;
  const { items, highlighted } = suggested;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [highlighted]);
  return (
    // The pointer takes the focus from nothing: leaving the field would store its text.
    <div
      className="stack text-color suggestions"
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {/* It scrolls, so it can be reached; the field closes it before Tab leaves. */}
      <ul ref={list} id={id} role="listbox" tabIndex={0} aria-label={label}>
        {items.map((item, at) => (
          <li
            key={item.id}
            id={`${id}-${at}`}
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
      <div className="row gap-8 dim suggestions-note">
        <span role="status">{suggested.note}</span>
        {suggested.isSearching && (
          <Button size="small" tabIndex={-1} onClick={stop}>
            Stop
          </Button>
        )}
      </div>
    </div>
  );
}
