import type { Client, shapes } from '@lensforge/sdk';
import { useMemo } from 'react';
import { useConsole } from '../session/console';
import { listLensOptions, toTitledOption } from '../ui/lens-source';
import { type PickerOption, type PickerSource, optionPage, unlessUnknown } from '../ui/picker-source';
import { isUuid } from '../ui/uuid';
import { workflowsTexts } from '../view-texts/workflows';

const limit = 100;

/** Labels come first: they are what a node usually names. */
function listLensVersionOptions({ lenses }: Client, lensId: string): PickerSource {
  const toVersionOption = ({ semver, changelog }: shapes.LensVersionItem): PickerOption => ({
    value: semver,
    name: semver,
    about: changelog,
  });
  return {
    key: ['lens versions', lensId],
    list: async (cursor) => {
      const page = await optionPage(lenses.listVersions(lensId, { limit, cursor }), toVersionOption);
      if (cursor !== undefined) return page;
      const labels = (await lenses.get(lensId)).labels.map(({ label, semver }) => ({
        value: label,
        name: label,
        about: workflowsTexts.labelAt(semver),
      }));
      return { ...page, options: [...labels, ...page.options] };
    },
    find: async (value) => {
      const version = await unlessUnknown(() => lenses.getVersion(lensId, value));
      if (!version) return undefined;
      const isLabel = value !== version.semver && value !== version.id;
      return {
        value,
        name: isLabel ? value : version.semver,
        about: isLabel ? workflowsTexts.labelAt(version.semver) : version.changelog,
      };
    },
    isValue: (text) => text.length <= 100,
  };
}

function listWorkflowOptions({ workflows }: Client): PickerSource {
  return {
    key: ['workflows'],
    list: async (cursor) => optionPage(workflows.list({ limit, cursor }), (each) => toTitledOption(each, 'workflows')),
    find: async (id) => {
      const workflow = await unlessUnknown(() => workflows.get(id));
      return workflow && toTitledOption(workflow, 'workflows');
    },
    isValue: isUuid,
  };
}

function listWorkflowVersionOptions({ workflows }: Client, workflowId: string): PickerSource {
  const toWorkflowVersionOption = ({
    number,
    changelog,
  }: Pick<shapes.WorkflowVersionItem, 'number' | 'changelog'>): PickerOption => ({
    value: String(number),
    name: String(number),
    about: changelog,
  });
  return {
    key: ['workflow versions', workflowId],
    list: async (cursor) => optionPage(workflows.listVersions(workflowId, { limit, cursor }), toWorkflowVersionOption),
    find: async (value) => {
      const version = await unlessUnknown(() => workflows.getVersion(workflowId, value));
      return version && toWorkflowVersionOption(version);
    },
    isValue: (text) => /^[1-9]\d{0,8}$/.test(text),
  };
}

function listModelOptions({ models }: Client): PickerSource {
  const toModelOption = ({ provider, key, displayName }: shapes.ModelItem): PickerOption => ({
    value: `${provider}/${key}`,
    name: displayName,
    about: `${provider}/${key}`,
  });
  return {
    key: ['models'],
    list: async (cursor) => optionPage(models.list({ limit, cursor }), toModelOption),
    find: async (value) => {
      for await (const model of models.list({ limit }))
        if ([model.id, model.key, `${model.provider}/${model.key}`].includes(value)) return toModelOption(model);
      return undefined;
    },
    isValue: (text) => isUuid(text) || /^[^\s/]+\/\S+$/.test(text),
  };
}

/** The AI lensers of the person: a node works with those of the account that runs it. */
function listAgentOptions({ agents }: Client, owner: string | undefined): PickerSource {
  const toAgentOption = ({ id, handle, displayName }: shapes.AiLenserItem): PickerOption => ({
    value: handle,
    name: displayName,
    about: `@${handle}`,
    href: `/agents/${id}`,
  });
  return {
    key: ['agents', owner],
    list: async (cursor) => optionPage(agents.list({ limit, owner, cursor }), toAgentOption),
    search: async (q, cursor) => optionPage(agents.list({ limit: 20, owner, q, cursor }), toAgentOption),
    find: async (value) => {
      if (isUuid(value)) {
        const agent = await unlessUnknown(() => agents.get(value));
        return agent && toAgentOption(agent);
      }
      const { items } = await agents.list({ limit, owner, q: value });
      const agent = items.find(({ handle }) => handle === value);
      return agent && toAgentOption(agent);
    },
    isValue: (text) => isUuid(text) || /^[a-z0-9_-]{3,64}$/.test(text),
  };
}

export type SourceName = 'lens' | 'lensVersion' | 'workflow' | 'workflowVersion' | 'model' | 'agent';

/** The source of a picker in the form of a node; versions are those of the lens or workflow `parentId`. */
export function useNodeSource(name: SourceName, parentId: string): PickerSource {
  const { client, me } = useConsole();
  const owner = me.account?.id;
  return useMemo(() => {
    switch (name) {
      case 'lens':
        return listLensOptions(client);
      case 'lensVersion':
        return listLensVersionOptions(client, parentId);
      case 'workflow':
        return listWorkflowOptions(client);
      case 'workflowVersion':
        return listWorkflowVersionOptions(client, parentId);
      case 'model':
        return listModelOptions(client);
      case 'agent':
        return listAgentOptions(client, owner);
    }
  }, [client, name, parentId, owner]);
}
