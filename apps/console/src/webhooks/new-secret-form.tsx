import { webhooksTexts } from '../view-texts/webhooks';
import { Form, readField } from '../ui/form';
import { Field } from '../ui/field';

interface Props {
  /** Says what the hours of overlap mean. */
  label: string;
  defaultHours: number;
  onRotate: (overlapSeconds: number) => Promise<void>;
}

/** A form that makes a new secret, beside which the old one stays valid for some hours. */
export const NewSecretForm = ({ label, defaultHours, onRotate }: Props) => (
  <Form onSend={(values) => onRotate(Number(readField(values, 'hours')) * 3600)} action={webhooksTexts.rotateNow}>
    <Field label={label} name="hours" type="number" required min={0} max={168} step={1} defaultValue={defaultHours} />
  </Form>
);
