import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { datasetsTexts } from '../view-texts/datasets';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { formatJson } from '../ui/format-json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { useSettled } from '../ui/use-settled';
import { readExpected, readParams, writeExpected } from './case-texts';
import { Field, TextField } from '../ui/field';

interface Props {
  dataset: shapes.Dataset;
  onChanged: () => Promise<unknown>;
}

const settleMs = 300;
const shownCharacters = 160;

/** The cases of the newest revision; each opens in a form. */
export function CaseList({ dataset: { id, revision }, onChanged }: Props) {
  const client = useClient();
  const [key, setKey] = useState('');
  const [tag, setTag] = useState('');
  const [open, setOpen] = useState<shapes.DatasetCase | 'new'>();
  const filter = {
    q: useSettled(key.trim(), settleMs) || undefined,
    tag: useSettled(tag.trim(), settleMs) || undefined,
  };
  const cases = usePaged(['dataset', id, 'cases', { revision, ...filter }], (cursor) =>
    client.datasets.listCases(id, { limit: 50, cursor, ...filter }),
  );
  const changed = async (): Promise<void> => {
    await onChanged();
    setOpen(undefined);
  };
  return (
    <section className="panel scroll">
      <div className="row">
        <h2>{datasetsTexts.caseList}</h2>
        <button type="button" onClick={() => setOpen('new')}>
          {datasetsTexts.newCase}
        </button>
      </div>
      {open !== undefined && (
        <CaseForm
          key={open === 'new' ? '' : open.key}
          dataset={{ id, revision }}
          found={open === 'new' ? undefined : open}
          onChanged={changed}
          onClose={() => setOpen(undefined)}
        />
      )}
      <div className="row">
        <label>
          {datasetsTexts.find}
          <input type="search" value={key} onChange={(event) => setKey(event.currentTarget.value)} />
        </label>
        <label>
          {datasetsTexts.tag}
          <input type="search" value={tag} onChange={(event) => setTag(event.currentTarget.value)} />
        </label>
      </div>
      <PagedList paged={cases} none={datasetsTexts.noCases}>
        {(items) => (
          <table className="table stacks cell-table">
            <tbody>
              {items.map((each) => (
                <tr key={each.key}>
                  <td>
                    <button type="button" onClick={() => setOpen(each)}>
                      {each.key}
                    </button>
                    <div className="quiet">{each.tags.join(' ')}</div>
                  </td>
                  <td>{JSON.stringify(each.params).slice(0, shownCharacters)}</td>
                  <td>{writeExpected(each.expected).slice(0, shownCharacters)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </section>
  );
}

interface CaseProps {
  dataset: Pick<shapes.Dataset, 'id' | 'revision'>;
  /** Undefined for a new case. */
  found: shapes.DatasetCase | undefined;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** Saves a case as a new revision, unless another one was made since it was read. */
function CaseForm({ dataset: { id, revision: baseRevision }, found, onChanged, onClose }: CaseProps) {
  const client = useClient();
  const save = async (fields: FormData): Promise<void> => {
    const { metadata, assertions = [] } = found ?? {};
    const tags = readField(fields, 'tags').split(/\s+/).filter(Boolean);
    const edited = {
      key: found?.key ?? readField(fields, 'key'),
      params: readParams(readField(fields, 'params')),
      expected: readExpected(readField(fields, 'expected')),
      tags,
      assertions,
      ...(metadata && { metadata }),
    };
    await client.datasets.changeCases(id, { save: [edited], baseRevision });
    await onChanged();
  };
  const remove = async (key: string): Promise<void> => {
    await client.datasets.changeCases(id, { remove: [key], baseRevision });
    await onChanged();
  };
  return (
    <section className="panel" aria-label={found ? datasetsTexts.editCase(found.key) : datasetsTexts.newCase}>
      <div className="row">
        <h3>{found ? datasetsTexts.editCase(found.key) : datasetsTexts.newCase}</h3>
        <button type="button" onClick={onClose}>
          {datasetsTexts.close}
        </button>
      </div>
      <Form onSend={save} action={texts.save} done={texts.saved}>
        {!found && <Field label={datasetsTexts.key} name="key" required maxLength={200} />}
        <TextField label={datasetsTexts.params} name="params" rows={4} defaultValue={formatJson(found?.params ?? {})} />
        <TextField
          label={datasetsTexts.expected}
          name="expected"
          rows={3}
          defaultValue={writeExpected(found?.expected ?? null)}
        />
        <Field label={datasetsTexts.tags} name="tags" defaultValue={found?.tags.join(' ')} />
      </Form>
      {found && <Action onAct={() => remove(found.key)}>{datasetsTexts.removeCase}</Action>}
    </section>
  );
}
