// Short messages: good news disappears automatically, bad news stays until it is dismissed.
import { X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import './toasts.css';

interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  readonly action?: ToastAction;
  readonly secondAction?: ToastAction;
}

interface ToastAction {
  readonly label: string;
  run(): void;
}

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly onDismiss: (id: number) => void;
}

const SHOWN_MS = { info: 6000, success: 5000, warning: 15_000, error: Infinity };

export function Toasts({ toasts, onDismiss }: ToastsProps): ReactNode {
  return (
    <div className="stack gap-8 toasts" role="region" aria-label="Messages" data-pane>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </div>
  );
}

function ToastCard({
  toast,
  onDismiss,
}: {
  readonly toast: Toast;
  readonly onDismiss: (id: number) => void;
}): ReactNode {
  const [held, setHeld] = useState(false);
  const { id, tone, text, action, secondAction } = toast;
  const actions = [action, secondAction].filter((one) => one !== undefined);
  useEffect(() => {
    if (held || SHOWN_MS[tone] === Infinity) return;
    const timer = setTimeout(() => onDismiss(id), SHOWN_MS[tone]);
    return () => clearTimeout(timer);
  }, [held, id, tone, onDismiss]);
  return (
    <div
      className={`toast toast-${tone}`}
      role={tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <div className="fill-x wrap toast-body">
        <span className="break-words scroll shrink-x toast-text selectable">{text}</span>
        <span className="gap-6 fixed toast-actions">
          {actions.map((one) => (
            <Button
              key={one.label}
              size="small"
              onClick={() => {
                one.run();
                onDismiss(id);
              }}
            >
              {one.label}
            </Button>
          ))}
        </span>
      </div>
      <IconButton label="Dismiss" onClick={() => onDismiss(id)}>
        <X size={14} />
      </IconButton>
    </div>
  );
}
