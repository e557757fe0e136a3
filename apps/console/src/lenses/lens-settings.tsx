import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { pickOption, parseTags, visibilities } from './lens-filters';
import { Field, SelectField, TextField } from '../ui/field';

/** Title, description, tags and visibility of a lens of one's own. They make no new version. */
export function LensSettings({ lens }: { lens: shapes.LensRecord }) {
  const client = useClient();
  const queries = useQueryClient();
  const save = async (values: FormData): Promise<void> => {
    await client.lenses.update(lens.id, {
      title: readField(values, 'title'),
      description: readField(values, 'description'),
      tags: parseTags(readField(values, 'tags')),
      visibility: pickOption(visibilities, readField(values, 'visibility')),
    });
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['lens', lens.id] }),
      queries.invalidateQueries({ queryKey: ['lenses'] }),
    ]);
  };
  return (
    <details className="panel">
      <summary>{lensesTexts.settings}</summary>
      {/* The fields begin with the saved values again after each change. */}
      <Form key={lens.updatedAt} onSend={save} action={texts.save} done={texts.saved}>
        <div className="columns">
          <Field label={lensesTexts.lensTitle} name="title" required maxLength={200} defaultValue={lens.title} />
          <SelectField label={lensesTexts.visibility} name="visibility" defaultValue={lens.visibility}>
            {visibilities.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
        </div>
        <TextField
          label={texts.description}
          name="description"
          rows={2}
          maxLength={2000}
          defaultValue={lens.description}
        />
        <Field label={lensesTexts.tags} name="tags" defaultValue={lens.tags.join(', ')} />
      </Form>
    </details>
  );
}

/** Acts on the lens as a whole: a copy for everyone, and for the owner its status. */
export function LensActions({ lens, isMine }: { lens: shapes.LensRecord; isMine: boolean }) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, title, status } = lens;
  const changing = (act: () => Promise<unknown>) => async (): Promise<void> => {
    await act();
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['lens', id] }),
      queries.invalidateQueries({ queryKey: ['lenses'] }),
    ]);
  };
  const fork = async (): Promise<void> => {
    // A title has at most 200 characters.
    const { id: lensId } = await client.lenses.fork(id, { title: lensesTexts.forkOf(title).slice(0, 200) });
    await queries.invalidateQueries({ queryKey: ['lenses'] });
    await navigate({ to: '/lenses/$lensId', params: { lensId } });
  };
  return (
    <>
      <Action onAct={fork}>{lensesTexts.fork}</Action>
      {isMine && status === 'draft' && (
        <Action className="primary" onAct={changing(async () => client.lenses.publish(id))}>
          {lensesTexts.publish}
        </Action>
      )}
      {isMine && status !== 'archived' && (
        <ConfirmedAction question={lensesTexts.archiveQuestion} onAct={changing(async () => client.lenses.archive(id))}>
          {lensesTexts.archive}
        </ConfirmedAction>
      )}
      {isMine && status === 'archived' && (
        <Action onAct={changing(async () => client.lenses.restore(id))}>{lensesTexts.restore}</Action>
      )}
    </>
  );
}
