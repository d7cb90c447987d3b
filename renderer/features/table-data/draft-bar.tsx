// The strip under the grid while a row is being added.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { useRoomForMessages } from '../../ui/use-room-for-messages.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import type { Draft } from './draft.ts';

/** Height in pixels. The row being added is the last one: it must be visible while the user types. */
const ROW_AND_SCROLL_BAR = 44;

interface DraftBarProps {
  readonly draft: Draft;
  onStore(): void;
  onDiscard(): void;
}

export function DraftBar({ draft, onStore, onDiscard }: DraftBarProps): ReactNode {
  const bar = useRoomForMessages<HTMLDivElement>('--draft-height', ROW_AND_SCROLL_BAR);
  return (
    <div
      ref={bar}
      className="row note gap-8 draft-bar"
      data-failed={draft.failure !== null || undefined}
      role={draft.failure ? 'alert' : 'status'}
    >
      <p>
        {draft.failure ?? 'New row: fill in its cells. It is saved when you leave it; empty cells get their defaults.'}
      </p>
      <Button size="small" variant="primary" onClick={onStore}>
        {draft.failure ? 'Try again' : 'Save row'} <kbd>{commandKeyLabel('row.save')}</kbd>
      </Button>
      <Button size="small" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}
