// Unsaved texts typed for cells other than the selected one, so that none is forgotten.
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { visibleName } from '#shared/visible-text.ts';
import { activateTab } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { rangeDrafts, typeInRange } from './range-drafts.ts';
import { copyText } from './value-editor.tsx';
import { dropDraft, isChanged, valueDrafts } from './value-drafts.ts';

export function UnsavedValues({ current }: { readonly current: string | null }): ReactNode {
  const drafts = useStore(valueDrafts, (state) => state.drafts);
  const ranges = useStore(rangeDrafts, (state) => state.drafts);
  const others = Object.values(drafts).filter((draft) => draft.name !== current && isChanged(draft));
  const parts = Object.entries(ranges).filter(([name, { typed }]) => name !== current && typed !== null);
  if (others.length + parts.length === 0) return null;
  return (
    <section className="fixed scroll unsaved-values" aria-label="Unsaved values">
      <h3>Not saved yet</h3>
      <ul>
        {others.map(({ name, title, tabId, text }) => (
          <li key={name}>
            <span>{visibleName(title)}</span>
            <Button
              size="small"
              onClick={() => {
                activateTab(tabId);
                valueDrafts.setState({ pinned: name });
              }}
            >
              Show
            </Button>
            <Button size="small" onClick={() => copyText(text)}>
              Copy text
            </Button>
            <Button size="small" onClick={() => dropDraft(name)}>
              Discard
            </Button>
          </li>
        ))}
        {parts.map(([name, { title, typed }]) => (
          <li key={name}>
            <span>{visibleName(title)}</span>
            <Button size="small" onClick={() => copyText(typed!.text)}>
              Copy text
            </Button>
            <Button size="small" onClick={() => typeInRange(name, null)}>
              Discard
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
