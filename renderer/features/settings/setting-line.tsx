// One setting: its name, its description, its value, and the way back to its default.
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Setting, SettingKey, SettingValues } from '#shared/settings/definitions.ts';
import { whyInvalid } from '#shared/settings/read-settings.ts';
import { useSettings } from '../../state/settings.ts';
import { IconButton } from '../../ui/button.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { setSetting } from '../../workbench/set-setting.ts';
import { settingNamed } from './shown-settings.ts';

interface SettingLineProps {
  readonly name: SettingKey;
  /** The page was opened for this setting. */
  readonly isPlace: boolean;
}

export function SettingLine({ name, isPlace }: SettingLineProps): ReactNode {
  const setting = settingNamed(name);
  const isChanged = useSettings(({ chosen }) => name in chosen);
  const meaningId = `setting-${name}`;
  return (
    <div
      className="setting"
      role="group"
      aria-label={setting.title}
      data-changed={isChanged || undefined}
      data-first-focus={isPlace || undefined}
      tabIndex={isPlace ? -1 : undefined}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) target.scrollIntoView({ block: 'center' });
      }}
    >
      <div className="setting-words">
        <span className="row-inline gap-6">
          {setting.title}
          {isChanged && <ChangedMark />}
        </span>
        <span className="note setting-meaning" id={meaningId}>
          {setting.meaning}
        </span>
      </div>
      <div className="row gap-6 setting-value">
        <Control name={name} setting={setting} describedBy={meaningId} />
        <span className="setting-reset">
          {isChanged && (
            <IconButton
              label={`Reset ${setting.title} to ${initialText(setting)}`}
              onClick={() => setSetting(name, null)}
            >
              <RotateCcw size={13} />
            </IconButton>
          )}
        </span>
      </div>
    </div>
  );
}

export const ChangedMark = (): ReactNode => (
  <span className="setting-changed" role="img" aria-label="changed" title="Different from the default" />
);

interface ControlProps {
  readonly name: SettingKey;
  readonly setting: Setting;
  readonly describedBy: string;
}

function Control({ name, setting, describedBy }: ControlProps): ReactNode {
  const value = useSettings(({ values }) => values[name]);
  const set = (next: string | number | boolean): void => setSetting(name, next as SettingValues[SettingKey]);
  switch (setting.kind) {
    case 'flag':
      return (
        <input
          type="checkbox"
          aria-label={setting.title}
          aria-describedby={describedBy}
          checked={value === true}
          onChange={(event) => set(event.target.checked)}
        />
      );
    case 'choice':
      return <Select label={setting.title} value={String(value)} options={setting.options} onChoose={set} />;
    case 'number':
      return (
        <>
          <CommittedField
            className="small-field setting-number"
            label={setting.title}
            aria-describedby={describedBy}
            value={String(value)}
            problemOf={(typed) => problemOf(setting, Number(typed.trim() || Number.NaN))}
            onCommit={(typed) => set(Number(typed))}
          />
          <span className="note setting-unit">{setting.unit}</span>
        </>
      );
    case 'text':
      return (
        <CommittedField
          className="small-field setting-text"
          label={setting.title}
          aria-describedby={describedBy}
          placeholder={setting.placeholder}
          value={String(value)}
          problemOf={(typed) => problemOf(setting, typed)}
          onCommit={set}
        />
      );
  }
}

function problemOf(setting: Setting, value: string | number): string | null {
  if (whyInvalid(setting, value) === null) return null;
  if (setting.kind === 'number')
    return `A ${setting.fraction ? '' : 'whole '}number from ${formatCount(setting.least)} to ${formatCount(setting.most)}`;
  return setting.kind === 'text' && typeof value === 'string' && value.length <= setting.maxChars
    ? (setting.allowed ?? '')
    : 'This is too long';
}

function initialText(setting: Setting): string {
  switch (setting.kind) {
    case 'flag':
      return setting.initial ? 'on' : 'off';
    case 'choice':
      return setting.options.find(([option]) => option === setting.initial)?.[1] ?? setting.initial;
    case 'number':
      return `${formatCount(setting.initial)} ${setting.unit}`;
    case 'text':
      return setting.initial || 'the default';
  }
}
