import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { TemplateEditor } from './template-editor';
import { Field } from '../ui/field';

/** Makes a lens. */
export default function NewLensView() {
  const client = useClient();
  const navigate = useNavigate();
  const [template, setTemplate] = useState('');
  const create = async (values: FormData): Promise<void> => {
    const tags = readField(values, 'tags');
    const { id } = await client.lenses.create({
      title: readField(values, 'title'),
      description: readField(values, 'description'),
      templateBody: template,
      ...(tags !== '' && { tags: tags.split(',').map((each) => each.trim()) }),
    });
    await navigate({ to: '/lenses/$lensId', params: { lensId: id } });
  };
  return (
    <Page title={lensesTexts.create} above={<Link to="/lenses">{lensesTexts.title}</Link>}>
      <div className="panel">
        <Form onSend={create} action={texts.create}>
          <Field label={texts.name} name="title" required maxLength={200} />
          <Field label={texts.description} name="description" />
          <TemplateEditor value={template} onChange={setTemplate} />
          <Field label={lensesTexts.tags} name="tags" />
        </Form>
      </div>
    </Page>
  );
}
