// Settings of a source of values, in one line.
import type { ReactNode } from 'react';
import type { SampleSource } from '#shared/protocol/index.ts';
import { listText, parseList, parseValue, valueText } from '#shared/sample-rows/literals.ts';
import { CommittedField } from '../../ui/committed-field.tsx';

interface SettingsProps {
  /** Name of the column. */
  readonly name: string;
  readonly source: SampleSource;
  readonly onChange: (source: SampleSource) => void;
}

const PATTERN_HELP =
  '# digit, A and a letter, * letter or digit, {red|green} one of these, \\ takes the next character as it is';

export function Settings({ name, source, onChange }: SettingsProps): ReactNode {
  const field = { name, onChange };
  switch (source.kind) {
    case 'sequence':
      return (
        <>
          from <StartField {...field} source={source} /> step
          <NumberField {...field} label="Step" value={source.step} set={(step) => ({ ...source, step })} />
        </>
      );
    case 'integer':
    case 'words':
    case 'real':
      return <RangeFields {...field} source={source} />;
    case 'moment':
      return source.as === 'time' ? null : (
        <>
          <TextField {...field} label="First day" value={source.from} set={(from) => ({ ...source, from })} /> to
          <TextField {...field} label="Last day" value={source.to} set={(to) => ({ ...source, to })} />
        </>
      );
    case 'blob':
      return (
        <>
          <NumberField {...field} label="Bytes" value={source.bytes} set={(bytes) => ({ ...source, bytes })} /> bytes
        </>
      );
    case 'constant':
    case 'list':
    case 'pattern':
      return <WideField {...field} source={source} />;
    default:
      return null;
  }
}

type Of<K extends SampleSource['kind']> = SettingsProps & {
  readonly source: Extract<SampleSource, { readonly kind: K }>;
};

function RangeFields({ source, ...field }: Of<'integer' | 'words' | 'real'>): ReactNode {
  return (
    <>
      <NumberField {...field} label="Minimum" value={source.from} set={(from) => ({ ...source, from })} /> to
      <NumberField {...field} label="Maximum" value={source.to} set={(to) => ({ ...source, to })} />
      {source.kind === 'words' && 'words'}
      {source.kind === 'real' && (
        <>
          <NumberField
            {...field}
            label="Decimals"
            value={source.decimals}
            set={(decimals) => ({ ...source, decimals })}
          />
          decimals
        </>
      )}
    </>
  );
}

function WideField({ name, source, onChange }: Of<'constant' | 'list' | 'pattern'>): ReactNode {
  const field = { name, onChange, isWide: true };
  if (source.kind === 'pattern')
    return (
      <span className="sample-rows-pattern" title={PATTERN_HELP}>
        <TextField {...field} label="Pattern" value={source.pattern} set={(pattern) => ({ ...source, pattern })} />
      </span>
    );
  if (source.kind === 'list')
    return (
      <TextField
        {...field}
        label="List"
        value={listText(source.values)}
        set={(text) => ({ ...source, values: parseList(text) })}
      />
    );
  return (
    <TextField
      {...field}
      label="Value"
      value={valueText(source.value)}
      set={(text) => ({ ...source, value: parseValue(text) })}
    />
  );
}

interface FieldProps<T> {
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly isWide?: boolean;
  readonly set: (value: T) => SampleSource;
  readonly onChange: (source: SampleSource) => void;
}

function TextField({ name, label, value, isWide = false, set, onChange }: FieldProps<string>): ReactNode {
  return (
    <CommittedField
      className={isWide ? 'small-field sample-rows-wide' : 'small-field'}
      label={`${label} of ${name}`}
      value={value}
      onCommit={(text) => onChange(set(text))}
    />
  );
}

/** Anything but a number leaves it unchanged. */
function NumberField({ name, label, value, set, onChange }: FieldProps<number>): ReactNode {
  const commit = (text: string): void => {
    const next = Number(text.trim() === '' ? Number.NaN : text);
    if (Number.isFinite(next)) onChange(set(next));
  };
  return (
    <CommittedField className="small-field" label={`${label} of ${name}`} value={String(value)} onCommit={commit} />
  );
}

function StartField({ name, source, onChange }: Of<'sequence'>): ReactNode {
  const commit = (text: string): void => {
    const start = text.trim() === '' ? null : Number(text);
    if (start === null || Number.isFinite(start)) onChange({ ...source, start });
  };
  return (
    <CommittedField
      className="small-field"
      label={`First number of ${name}`}
      placeholder="next"
      value={source.start === null ? '' : String(source.start)}
      onCommit={commit}
    />
  );
}
