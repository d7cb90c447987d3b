// The bar above a grid that finds a text in it.
import { CaseSensitive, ChevronDown, ChevronUp, WholeWord, X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { commandKeyLabel } from '../commands/commands.ts';
import type { FindControl } from './use-find.ts';
import './find-bar.css';

const SWITCH_ICON = { size: 16, 'aria-hidden': true } as const;
const ICON = { size: 14, 'aria-hidden': true } as const;

export function FindBar({ find }: { readonly find: FindControl }): ReactNode {
  if (!find.isShown) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') find.close();
    else if (event.key === 'Enter') find.step(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="row ruled-bar gap-4 sunken find-bar" role="search" aria-label={find.label}>
      <TextField
        ref={find.field}
        className="find-text"
        aria-label="Text to find"
        placeholder="Find in any column"
        autoFocus
        value={find.search.text}
        onChange={(event) => find.set({ text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <IconButton
        label="Match case (A to Z)"
        aria-pressed={find.search.matchCase}
        onClick={() => find.set({ matchCase: !find.search.matchCase })}
      >
        <CaseSensitive {...SWITCH_ICON} />
      </IconButton>
      <IconButton
        label="Whole cell"
        aria-pressed={find.search.isWholeCell}
        onClick={() => find.set({ isWholeCell: !find.search.isWholeCell })}
      >
        <WholeWord {...SWITCH_ICON} />
      </IconButton>
      <IconButton
        label="Previous row"
        shortcut={commandKeyLabel('grid.findPrevious')}
        disabled={find.search.text === ''}
        onClick={() => find.step('previous')}
      >
        <ChevronUp {...ICON} />
      </IconButton>
      <IconButton
        label="Next row"
        shortcut={commandKeyLabel('grid.find')}
        disabled={find.search.text === ''}
        onClick={() => find.step('next')}
      >
        <ChevronDown {...ICON} />
      </IconButton>
      <span className="cut fill-x dim figures find-status" role="status">
        {find.status}
      </span>
      <IconButton label="Close" onClick={find.close}>
        <X {...ICON} />
      </IconButton>
    </div>
  );
}
