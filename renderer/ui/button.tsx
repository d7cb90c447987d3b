// Buttons: with a text, and with an icon alone.
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import { Tooltip } from './tooltip.tsx';

type ButtonProps = ComponentProps<'button'> & {
  readonly variant?: 'plain' | 'primary' | 'danger';
  readonly size?: 'normal' | 'small';
  /** Why it does nothing at the moment: its tooltip and description. The keyboard still reaches it, so that it can be read. */
  readonly why?: string | null;
};

export function Button({
  variant = 'plain',
  size = 'normal',
  why = null,
  className = '',
  ...rest
}: ButtonProps): ReactNode {
  const classes = `button button-${variant} button-${size} ${className}`;
  const off = why === null ? null : { 'aria-disabled': true, title: why, onClick: undefined };
  return <button type="button" className={classes} {...rest} {...off} />;
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'title'> & {
  /** Read by screen readers and shown as the tooltip. */
  readonly label: string;
  readonly shortcut?: string | undefined;
  /** A word of the label that is shown beside the icon where there is room: `.icon-name` is hidden unless its place shows it. */
  readonly name?: string;
  /** It does nothing at the moment. Unlike a disabled button it keeps the focus, so that a press that makes it so does not lose it. */
  readonly isOff?: boolean;
};

export function IconButton({
  label,
  shortcut,
  name,
  isOff = false,
  className = '',
  children,
  ...rest
}: IconButtonProps): ReactNode {
  const off = isOff ? { 'aria-disabled': true, onClick: undefined } : null;
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest} {...off}>
        {children}
        {name !== undefined && <span className="icon-name">{name}</span>}
      </button>
    </Tooltip>
  );
}
