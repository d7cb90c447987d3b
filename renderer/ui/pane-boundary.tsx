// Keeps the failure of one part of the window to that part: says so in its place, and offers to show it again.
import { TriangleAlert } from 'lucide-react';
import { Component, useEffect, useId, useRef, type ErrorInfo, type ReactNode } from 'react';
import { cut } from '#shared/visible-text.ts';
import { Button } from './button.tsx';
import './dialog.css';
import './pane-boundary.css';

interface PaneBoundaryProps {
  /** Name as used in a sentence: “The details cannot be shown”. */
  readonly name: string;
  /** `line` in a bar, `dialog` over the window; default `pane`, in the middle of its place. */
  readonly variant?: 'pane' | 'line' | 'dialog';
  /** Identifies the content: when this value changes, the content is shown again automatically. */
  readonly of?: unknown;
  /** Offered instead of showing the content once more. */
  readonly again?: { readonly label: string; run(): void };
  readonly onDismiss?: () => void;
  readonly children: ReactNode;
}

interface PaneBoundaryState {
  readonly failure: { readonly error: unknown } | null;
}

/** React unmounts what has thrown; an error that no boundary catches takes the whole window (react.dev, Component). */
export class PaneBoundary extends Component<PaneBoundaryProps, PaneBoundaryState> {
  override readonly state: PaneBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): PaneBoundaryState {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    // Main keeps errors of the console in its log.
    console.error(`${this.props.name} cannot be shown: ${stackOf(error)}${componentStack ?? ''}`);
  }

  override componentDidUpdate(before: PaneBoundaryProps): void {
    if (this.state.failure && before.of !== this.props.of) this.#again();
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const { name, variant = 'pane', again: offered, onDismiss } = this.props;
    const message = cut(messageOf(failure.error), MAX_MESSAGE_CHARS);
    const again = (): void => this.#again();
    if (variant === 'line') return <FailedLine name={name} message={message} onAgain={again} />;
    if (variant === 'pane') {
      const { label, run } = offered ?? { label: 'Reload this pane', run: again };
      return <FailedPane name={name} message={message} label={label} onAgain={run} />;
    }
    const dismiss = (): void => {
      onDismiss?.();
      again();
    };
    return <FailedDialog name={name} message={message} onClose={dismiss} />;
  }

  #again(): void {
    this.setState({ failure: null });
  }
}

const MAX_MESSAGE_CHARS = 300;

interface FailedProps {
  readonly name: string;
  readonly message: string;
  readonly onAgain: () => void;
}

function FailedPane({ name, message, label, onAgain }: FailedProps & { readonly label: string }): ReactNode {
  return (
    <div className="row gap-10 dim full-width full-height scroll sunken pane-failed" role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <h2>{name} cannot be shown</h2>
      <p>{KEPT}</p>
      <p className="break-words text-color pane-failed-error selectable">{message}</p>
      <Button onClick={onAgain}>{label}</Button>
    </div>
  );
}

function FailedLine({ name, message, onAgain }: FailedProps): ReactNode {
  return (
    <div className="row gap-8 sunken text-color full-height shrink-x pane-failed-line" role="alert" title={message}>
      <TriangleAlert size={14} aria-hidden="true" />
      <span>{name} cannot be shown</span>
      <Button size="small" onClick={onAgain}>
        Reload
      </Button>
    </div>
  );
}

/** Uses plain elements: the failure may be in the code that shows dialogs. */
function FailedDialog({ name, message, onClose }: Omit<FailedProps, 'onAgain'> & { onClose(): void }): ReactNode {
  const title = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="dialog pane-failed-dialog" role="alertdialog" aria-labelledby={title}>
      <h2 id={title} className="dialog-title">
        {name} cannot be shown
      </h2>
      <div className="dim break-words scroll dialog-body">
        {KEPT}
        <p className="break-words text-color pane-failed-error selectable">{message}</p>
      </div>
      <div className="dialog-footer">
        <Button ref={button} onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

const KEPT = 'This is a bug in Sidelite. Your data was not changed, and the rest of the window still works.';

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
