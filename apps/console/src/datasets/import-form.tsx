import { useState } from 'react';
import { useClient } from '../session/console';
import { datasetsTexts } from '../view-texts/datasets';
import { Form } from '../ui/form';

const formats = ['csv', 'ndjson', 'json'] as const;

/** Adds the cases of a file as a new revision. */
export function ImportForm({ datasetId, onChanged }: { datasetId: string; onChanged: () => Promise<unknown> }) {
  const client = useClient();
  const [done, setDone] = useState<string>();
  const send = async (fields: FormData): Promise<void> => {
    const file = fields.get('file');
    if (!(file instanceof File) || file.name === '') throw new Error(datasetsTexts.noFile);
    const format = formats.find((each) => file.name.toLowerCase().endsWith(`.${each}`));
    if (!format) throw new Error(datasetsTexts.unknownFormat);
    const content = await file.text();
    const change = await client.datasets.importCases(datasetId, {
      format,
      content,
      replace: fields.get('replace') !== null,
      message: file.name.slice(0, 500),
    });
    setDone(datasetsTexts.imported(change.added, change.changed, change.removed));
    await onChanged();
  };
  return (
    <>
      <Form onSend={send} action={datasetsTexts.importFile} clears>
        <label>
          {datasetsTexts.file}
          <input type="file" name="file" accept=".csv,.ndjson,.json" />
        </label>
        <label className="check">
          <input type="checkbox" name="replace" /> {datasetsTexts.replace}
        </label>
      </Form>
      {done !== undefined && (
        <p className="notice" role="status">
          {done}
        </p>
      )}
    </>
  );
}
