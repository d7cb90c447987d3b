// What the statements of the last run came to, and where to look when one failed.
import { formatDuration } from '../../ui/format.ts';
import type { Message } from './query-view.ts';

interface MessageListProps {
  readonly messages: readonly Message[];
  readonly onGoTo: (offset: number) => void;
}

export function MessageList({ messages, onGoTo }: MessageListProps) {
  if (messages.length === 0)
    return <p className="query-empty">Nothing has run here yet. Write SQL above and run it.</p>;
  return (
    <ul className="query-messages selectable" aria-label="Messages">
      {messages.map(({ id, tone, text, sql, timeMs, offset }) => (
        <li key={id} className={`query-message query-message-${tone}`} {...(tone === 'error' && { role: 'alert' })}>
          <span className="query-message-time">{timeMs === null ? '' : formatDuration(timeMs)}</span>
          <span className="query-message-text">{text}</span>
          {sql && <code>{sql}</code>}
          {offset !== null && (
            <button type="button" className="query-link" onClick={() => onGoTo(offset)}>
              Go to {tone === 'error' ? 'error' : 'statement'}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
