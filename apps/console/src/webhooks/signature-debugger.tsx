import { webhooks } from '@lensforge/sdk';
import { useState } from 'react';
import { webhooksTexts } from '../view-texts/webhooks';
import { Form, readField } from '../ui/form';
import { Json } from '../ui/json';
import { parseHeaders } from './headers';
import { Field, TextField } from '../ui/field';

/** Checks the signature of a pasted delivery in this page, whatever its age. */
export function SignatureDebugger() {
  const [event, setEvent] = useState<unknown>();
  const check = async (values: FormData): Promise<void> => {
    setEvent(undefined);
    const body = values.get('body');
    const secret = readField(values, 'secret');
    const headers = parseHeaders(readField(values, 'headers'));
    const toleranceSeconds = Number.MAX_SAFE_INTEGER;
    setEvent(await webhooks.verify(typeof body === 'string' ? body : '', headers, secret, { toleranceSeconds }));
  };
  return (
    <section className="panel">
      <p className="quiet">{webhooksTexts.debuggerHint}</p>
      <Form onSend={check} action={webhooksTexts.check}>
        <TextField label={webhooksTexts.body} className="code" name="body" rows={6} required spellCheck={false} />
        <TextField
          label={webhooksTexts.headers}
          className="code"
          name="headers"
          rows={4}
          required
          spellCheck={false}
          placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
        />
        <Field
          label={webhooksTexts.signingSecret}
          name="secret"
          type="password"
          required
          autoComplete="off"
          placeholder="whsec_…"
        />
      </Form>
      {event !== undefined && (
        <div role="status">
          <p>{webhooksTexts.valid}</p>
          <Json value={event} label={webhooksTexts.valid} />
        </div>
      )}
    </section>
  );
}
