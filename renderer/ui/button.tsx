// Buttons: with a text, and with an icon alone.
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import { Tooltip } from './tooltip.tsx';

type ButtonProps = ComponentProps<'button'> & {
  readonly look?: 'plain' | 'primary' | 'danger';
  readonly size?: 'normal' | 'small';
};

export function Button({ look = 'plain', size = 'normal', className = '', ...rest }: ButtonProps): ReactNode {
  const classes = `button button-${look} button-${size} ${className}`;
  return <button type="button" className={classes} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'title'> & {
  /** Read by screen readers and shown as the tooltip. */
  readonly label: string;
  readonly shortcut?: string | undefined;
};

export function IconButton({ label, shortcut, className = '', ...rest }: IconButtonProps): ReactNode {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest} />
    </Tooltip>
  );
}
