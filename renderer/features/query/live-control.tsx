// Whether the result follows its tables, and a menu to decide that.
import { ChevronDown, Pause, Play, RotateCw } from 'lucide-react';
import { formatDuration } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { LIMITS_MS } from './live-results.ts';
import type { LiveAction } from './live-results.ts';
import type { ResultLive } from './query-view.ts';

interface LiveControlProps {
  readonly live: ResultLive;
  readonly limitMs: number | null;
  readonly onAction: (action: LiveAction) => void;
  readonly onLimit: (limitMs: number | null) => void;
}

export function LiveControl({ live, limitMs, onAction, onLimit }: LiveControlProps) {
  const isLive = live.state === 'live';
  const icon = { size: 14, 'aria-hidden': true } as const;
  const entries: readonly MenuEntry[] = [
    isLive
      ? { label: 'Pause', icon: <Pause {...icon} />, run: () => onAction('pause') }
      : {
          label: live.state === 'fixed' ? 'Keep live' : 'Resume',
          icon: <Play {...icon} />,
          run: () => onAction('start'),
        },
    { label: 'Run now', icon: <RotateCw {...icon} />, run: () => onAction('refresh') },
    'separator',
    { heading: 'Time limit per run' },
    ...LIMITS_MS.map((each) => ({ label: limitText(each), checked: each === limitMs, run: () => onLimit(each) })),
  ];
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="live-control" data-state={live.state} title={explanation(live, limitMs)}>
          <span className="live-dot" aria-hidden="true" />
          {stateText(live)}
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
      entries={entries}
    />
  );
}

function limitText(limitMs: number | null): string {
  if (limitMs === null) return 'No limit';
  return limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`;
}

function stateText({ state, runMs }: ResultLive): string {
  switch (state) {
    case 'live':
      return 'Live';
    case 'paused':
      return 'Paused';
    case 'too-slow':
      return `Too slow (${formatDuration(runMs)})`;
    case 'failed':
      return 'Failed';
    case 'fixed':
      return 'Not live';
  }
}

/** Explains the state in a sentence or two. */
export function explanation({ state, runMs, why }: ResultLive, limitMs: number | null): string {
  switch (state) {
    case 'live':
      return `Runs again when the data it reads changes. The last run took ${formatDuration(runMs)}.`;
    case 'paused':
      return 'Paused. Shows the data from when it was paused.';
    case 'too-slow': {
      const limit = limitMs === null ? '' : `, more than the limit of ${limitText(limitMs)}`;
      return `The last run took ${formatDuration(runMs)}${limit}. It no longer runs automatically.`;
    }
    case 'failed':
      return why ?? 'The statement can no longer be run.';
    case 'fixed':
      return 'Shows the data from when the statement ran. Keep it live to follow changes.';
  }
}
