import { ConflictError } from '@lensforge/sdk';
import type { ReactNode } from 'react';
import { Action } from '../ui/action';
import { announce } from '../ui/announce';
import { Chips } from '../ui/chips';
import { CodeEditor } from '../ui/code-editor';
import { Chart } from '../ui/chart';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Copy } from '../ui/copy';
import { DataTable } from '../ui/data-table';
import { DialogButton } from '../ui/dialog-button';
import { DatasetSelect } from '../ui/dataset-select';
import { Fault } from '../ui/fault';
import { Field, SelectField, TextField } from '../ui/field';
import { Form } from '../ui/form';
import { Json } from '../ui/json';
import { LensSelect } from '../ui/lens-select';
import { LineDiff } from '../ui/line-diff';
import { Page } from '../ui/page';
import { PagedList } from '../ui/paged-list';
import { Picker } from '../ui/picker';
import type { PickerSource } from '../ui/picker-source';
import { Rows } from '../ui/rows';
import { SaveFault } from '../ui/save-fault';
import { Secret } from '../ui/secret';
import { Empty, Loaded, Loading } from '../ui/states';
import { Spark } from '../ui/spark';
import { Status, tones } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { Time } from '../ui/time';
import { Toasts } from '../ui/toasts';
import { Unsaved } from '../ui/unsaved';
import '../styles/design.css';
import tokensCss from '../styles/tokens.css?raw';

const tokens = [...tokensCss.matchAll(/^ {2}--([a-z0-9-]+): (.*);$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));
const colours = tokens.filter(({ value }) => value.includes('#'));
const sizes = tokens.filter(({ value }) => /rem$|px$/.test(value));
const example = { score: 0.92, reasons: ['short', 'true'] };
const source: PickerSource = {
  key: ['design'],
  list: () =>
    Promise.resolve({ options: [{ value: 'greeting', name: 'Greeting', about: '1.2.0' }], cursor: undefined }),
  find: () => Promise.resolve(undefined),
  isValue: () => true,
};
const conflict = new ConflictError({
  status: 409,
  code: 'conflict',
  message: 'There is a newer version',
  details: {},
  requestId: undefined,
  retryAfter: undefined,
});
const never = () => new Promise<void>(() => undefined);
const refused = () => Promise.reject(new Error('title is required'));

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel stack">
    <h2>{title}</h2>
    {children}
  </section>
);

/** The tokens and parts that views are made of, for those who change the console. It is not in a release. */
export default function DesignView() {
  return (
    <Page title="Design" above="Development only" actions={<button type="button">An action</button>}>
      <Section title="Colours">
        <div className="row">
          {colours.map(({ name, value }) => (
            <figure key={name}>
              <div className="design-colour" style={{ background: `var(--${name})` }} />
              <figcaption>
                <code>{name}</code> <small className="quiet">{value}</small>
              </figcaption>
            </figure>
          ))}
        </div>
      </Section>
      <Section title="Sizes">
        <DataTable
          className="table"
          items={sizes}
          getKey={({ name }) => name}
          columns={[
            { name: 'Token', sortBy: ({ name }) => name, show: ({ name }) => <code>{name}</code> },
            {
              name: 'Value',
              isNumber: true,
              sortBy: ({ value }) => Number.parseFloat(value),
              show: ({ value }) => value,
            },
            {
              name: 'As text',
              show: ({ name }) => name.startsWith('text') && <span style={{ fontSize: `var(--${name})` }}>Aa</span>,
            },
            {
              name: 'As space',
              show: ({ name }) =>
                name.startsWith('space') && <div className="design-space" style={{ width: `var(--${name})` }} />,
            },
          ]}
        />
      </Section>
      <Section title="Headings and text">
        <h1>First heading</h1>
        <h2>Second heading</h2>
        <h3>Third heading</h3>
        <p>
          Text with <a href="#text">a link</a>, <code>code</code> and <span className="quiet">what matters less</span>.
        </p>
        <Time at="2026-01-02T03:04:05.000Z" />
      </Section>
      <Section title="Statuses">
        <div className="row">
          {[...Object.keys(tones), 'canceled'].map((value) => (
            <Status key={value} value={value} />
          ))}
        </div>
        <p>
          <Suspension reason="creator_removed" />
        </p>
      </Section>
      <Section title="Actions">
        <div className="row">
          <button type="button" className="primary">
            Primary
          </button>
          <button type="button">Usual</button>
          <button type="button" className="danger">
            Danger
          </button>
          <button type="button" disabled>
            Disabled
          </button>
          <Action onAct={never}>Never ends</Action>
          <Action onAct={refused}>Is refused</Action>
          <ConfirmedAction question="Delete the lens?" onAct={() => Promise.resolve()}>
            Asks first
          </ConfirmedAction>
          <button type="button" onClick={() => announce('Saved')}>
            Announces
          </button>
          <Toasts />
          <DialogButton name="Opens a dialog">{() => <p>Its contents</p>}</DialogButton>
          <Copy text="copied" />
          <Unsaved isChanged onDiscard={() => undefined} />
        </div>
        <Chips label="Status" all="All" options={['failed', 'succeeded']} value="failed" onChange={() => undefined} />
      </Section>
      <Section title="Forms">
        <Form onSend={refused} action="Save">
          <Field label="Title" name="title" required placeholder="A name for lists" />
          <TextField label="Text" name="text" defaultValue="Write about [[Topic]]." />
          <SelectField label="Visibility" name="visibility">
            <option>private</option>
          </SelectField>
          <label className="check">
            <input type="checkbox" name="isPublic" /> Public
          </label>
          <LensSelect label="Lens" />
          <DatasetSelect label="Dataset" newest={{ id: '' }} />
        </Form>
        <Picker label="A lens by name" value="" source={source} onPick={() => undefined} />
        <CodeEditor label="Template" value={'Write about [[Topic]].\n'} onChange={() => undefined} />
      </Section>
      <Section title="States">
        <Loading />
        <Loaded query={{ data: undefined, isError: false } as Parameters<typeof Loaded>[0]['query']}>
          {() => null}
        </Loaded>
        <Empty title="There are no runs">
          <button type="button">Run a lens</button>
        </Empty>
        <Fault error={new Error('The server cannot be reached')} onRetry={() => undefined} />
        <SaveFault error={conflict} onReload={never} onOverwrite={never} />
        <Secret what="The token:" value="lf_example" />
        <p className="notice">A notice</p>
      </Section>
      <Section title="Lists">
        <PagedList
          paged={{
            items: ['one', 'two'],
            isLoading: false,
            error: null,
            isLive: false,
            more: () => undefined,
            retry: () => undefined,
          }}
          none="None"
        >
          {(items) => (
            <ul>
              {items.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          )}
        </PagedList>
        <Rows
          items={['first', 'second']}
          label="Rows"
          row={(item, style) => (
            <div key={item} className="rows-item" style={style}>
              {item}
            </div>
          )}
        />
      </Section>
      <Section title="Values">
        <Json value={example} label="A value" />
        <Chart
          name="Runs"
          value="12"
          times={[0, 1, 2, 3].map((at) => Date.UTC(2026, 10, 28 + at))}
          bucketMs={86_400_000}
          nameTime={(at) => new Date(at).toISOString().slice(0, 10)}
          tell={(at) => String([2, 5, 1, 4][at])}
          write={String}
          lines={[{ shape: 'bars', colour: 'accent', values: [2, 5, 1, 4] }]}
        />
        <Spark name="Runs" value="12" values={[2, 5, 1, 4]} />
        <LineDiff
          label="A comparison"
          lines={[
            { kind: 'same', text: 'Write about [[Topic]].' },
            { kind: 'removed', text: 'Be short.' },
            { kind: 'added', text: 'Use at most [[Words]] words.' },
          ]}
        />
      </Section>
    </Page>
  );
}
