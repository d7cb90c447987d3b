// Results of the statements of the last run, and where to look when one failed.
import { formatDuration } from '../../ui/format.ts';
import type { Message } from './query-view.ts';

interface MessageListProps {
  readonly messages: readonly Message[];
  /** Text shown while there is no message. */
  readonly empty: string;
  readonly onGoTo: (offset: number) => void;
}

export function MessageList({ messages, empty, onGoTo }: MessageListProps) {
  if (messages.length === 0) return <p className="query-empty">{empty}</p>;
  return (
    <ul className="query-messages selectable" aria-label="Messages">
      {messages.map(({ id, tone, text, sql, timeMs, offset }) => (
        <li key={id}>
          <div className={`query-message query-message-${tone}`} role={tone === 'error' ? 'alert' : undefined}>
            <span className="query-message-time">{timeMs === null ? '' : formatDuration(timeMs)}</span>
            <span className="query-message-text">{text}</span>
            {sql && <code>{sql}</code>}
            {offset !== null && (
              <button type="button" className="link-button" onClick={() => onGoTo(offset)}>
                Go to {tone === 'error' ? 'error' : 'statement'}
              </button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
