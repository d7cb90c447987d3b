// The settings of a database in groups: what each means, its value, and whether it can be changed.
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { capabilitiesOf, CHANGEABLE_PRAGMAS } from '#shared/protocol/index.ts';
import type { ChangeablePragma } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { SectionProps } from './section-props.ts';
import { settingGroups } from './setting-list.ts';
import type { Setting } from './setting-list.ts';
import './settings-section.css';

export function SettingsSection({ database, overview, session }: SectionProps): ReactNode {
  return (
    <div className="health-settings">
      <p className="health-note">
        SQLite {overview.sqliteVersion}.{' '}
        {capabilitiesOf(database).connectionSettings
          ? 'Changes to settings stored in the file are steps in the history and can be undone. Other changes last until the database is closed.'
          : 'These settings are stored in the file. The server controls all others.'}
      </p>
      {settingGroups(database).map(({ title, settings }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {settings
            .filter(({ name }) => name in overview.pragmas)
            .map((setting) => (
              <SettingLine
                key={setting.name}
                setting={setting}
                value={overview.pragmas[setting.name] ?? ''}
                onSet={(value) =>
                  void session.setPragma(setting.name as ChangeablePragma, value, labelOf(setting, value))
                }
              />
            ))}
        </section>
      ))}
    </div>
  );
}

interface SettingLineProps {
  readonly setting: Setting;
  readonly value: string;
  readonly onSet: (value: number) => void;
}

function SettingLine({ setting, value, onSet }: SettingLineProps): ReactNode {
  const { name, meaning, initial, names, change, fixed } = setting;
  return (
    <div className="health-setting" role="group" aria-label={name}>
      <span className="health-setting-name selectable">{name}</span>
      <span className="shrink-x figures break-words">
        {change === 'choice' && names ? (
          <Select
            label={name}
            value={value}
            options={Object.entries(names).map(([raw, word]) => [raw, word] as const)}
            onChoose={(chosen) => onSet(Number(chosen))}
          />
        ) : change === 'number' ? (
          <NumberField key={value} name={name as ChangeablePragma} value={value} onSet={onSet} />
        ) : (
          <span className="selectable">{labelOf(setting, value)}</span>
        )}
      </span>
      <span className="health-setting-meaning">
        {meaning}
        <span className="note health-setting-more">
          {initial !== null && `SQLite’s default is ${labelOf(setting, initial)}. `}
          {fixed}
        </span>
      </span>
    </div>
  );
}

const labelOf = ({ names }: Setting, value: number | string): string => names?.[String(value)] ?? String(value);

interface NumberFieldProps {
  readonly name: ChangeablePragma;
  readonly value: string;
  readonly onSet: (value: number) => void;
}

function NumberField({ name, value, onSet }: NumberFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const { least, most } = CHANGEABLE_PRAGMAS[name];
  const number = /^-?\d+$/.test(text.trim()) ? Number(text) : null;
  const why = number === null || number < least || number > most ? `A whole number from ${least} to ${most}` : null;
  const set = (event: FormEvent): void => {
    event.preventDefault();
    if (number !== null && why === null && text !== value) onSet(number);
  };
  return (
    <form className="row gap-6 health-number" onSubmit={set}>
      <TextField
        aria-label={name}
        aria-invalid={why !== null}
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== value && (
        <Button type="submit" size="small" why={why}>
          Set
        </Button>
      )}
    </form>
  );
}
