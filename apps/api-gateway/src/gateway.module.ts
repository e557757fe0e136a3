import { Bearer, type Platform, platformContext, startRunChangesPublisher } from '@lensforge/edge';
import { limitAiLensers } from '@lensforge/identity';
import { createSubscriber } from '@lensforge/queue';
import { admitWaiting, limitRuns } from '@lensforge/runs';
import { KeyRing, keyRing, readMasterKeys } from '@lensforge/vault';
import { PartnerService } from '@lensforge/partners';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiDescriptionController } from './api-description.controller.js';
import { AgentActionsController } from './agent-actions.controller.js';
import { AgentEventsController } from './agent-events.controller.js';
import { AgentToolsController } from './agent-tools.controller.js';
import { AgentsController } from './agents.controller.js';
import { BattleEventsController } from './battle-events.controller.js';
import { BattleStatusController } from './battle-status.controller.js';
import { BattleVotesController } from './battle-votes.controller.js';
import { AuditController } from './audit.controller.js';
import { BattlesController } from './battles.controller.js';
import { ByokKeysController } from './byok-keys.controller.js';
import { CommunitiesController } from './communities.controller.js';
import { ConnectorsController } from './connectors.controller.js';
import { CreditsController } from './credits.controller.js';
import type { GatewayEnvironment } from './environment.js';
import { GroupStreams } from './event-stream/group-streams.js';
import { LogStreams } from './event-stream/log-streams.js';
import { OpenConnections } from './event-stream/open-connections.js';
import { CallLog } from './incoming/call-log.js';
import { IncomingWebhooksController } from './incoming/incoming-webhooks.controller.js';
import { ReceiveController } from './incoming/receive.controller.js';
import { LeaderboardsController } from './leaderboards.controller.js';
import { LensLibraryController } from './lens-library.controller.js';
import { LensUses } from './lens-uses.js';
import { LabelProposalsController } from './label-proposals.controller.js';
import { EvaluationRulesController } from './evaluation-rules.controller.js';
import { ReviewQueuesController } from './review-queues.controller.js';
import { RunScoresController } from './run-scores.controller.js';
import { LensVersionsController } from './lens-versions.controller.js';
import { LensesController } from './lenses.controller.js';
import { LocalRunsController } from './local-runs.controller.js';
import { McpServersController } from './mcp-servers.controller.js';
import { MeController } from './me.controller.js';
import { MembersController } from './members.controller.js';
import { MessagesController } from './messages.controller.js';
import { ModelsController } from './models.controller.js';
import { openPartner } from './partners/open-partner.js';
import { PartnersController } from './partners/partners.controller.js';
import { OperatorController } from './operator/operator.controller.js';
import { LangfuseController } from './langfuse/langfuse.controller.js';
import { OpenAiAnswers } from './openai/openai-answers.js';
import { OpenAiController } from './openai/openai.controller.js';
import { openReplica } from './read-replica.js';
import { RunEventsController } from './run-events.controller.js';
import { RunNodesController } from './run-nodes.controller.js';
import { RunOperationsController } from './run-operations.controller.js';
import { RunsController } from './runs.controller.js';
import { SchedulesController } from './schedules.controller.js';
import { TeamRunsController } from './team-runs.controller.js';
import { DatasetsController } from './datasets.controller.js';
import { ExperimentsController } from './experiments.controller.js';
import { RecordingsController } from './recordings.controller.js';
import { ScorersController } from './scorers.controller.js';
import { ThreadsController } from './threads.controller.js';
import { TokensController } from './tokens.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WorkflowLibraryController } from './workflow-library.controller.js';
import { WorkflowsController } from './workflows.controller.js';

@Module({})
export class GatewayModule {
  static on(platform: Platform<GatewayEnvironment>): DynamicModule {
    startRunChanges(platform);
    openReplica(platform);
    limitAiLensers(platform.database, platform.environment.LENSFORGE_AI_LENSERS_PER_OWNER);
    return {
      module: GatewayModule,
      controllers: [
        ApiDescriptionController,
        MeController,
        TokensController,
        ConnectorsController,
        CommunitiesController,
        MembersController,
        AgentsController,
        AgentToolsController,
        AgentActionsController,
        McpServersController,
        AgentEventsController,
        TeamRunsController,
        AuditController,
        BattlesController,
        LeaderboardsController,
        LensesController,
        LensLibraryController,
        LensVersionsController,
        LabelProposalsController,
        RunScoresController,
        ReviewQueuesController,
        EvaluationRulesController,
        ModelsController,
        RunsController,
        RunNodesController,
        WorkflowsController,
        WorkflowLibraryController,
        SchedulesController,
        CreditsController,
        ByokKeysController,
        LocalRunsController,
        RunEventsController,
        RunOperationsController,
        WebhookEndpointsController,
        WebhookDeliveriesController,
        IncomingWebhooksController,
        ReceiveController,
        PartnersController,
        OperatorController,
        BattleStatusController,
        BattleVotesController,
        BattleEventsController,
        DatasetsController,
        ExperimentsController,
        ScorersController,
        RecordingsController,
        ThreadsController,
        MessagesController,
        OpenAiController,
        LangfuseController,
      ],
      providers: [
        { provide: KeyRing, useValue: keyRing(readMasterKeys(platform.environment.LENSFORGE_MASTER_KEY)) },
        {
          provide: PartnerService,
          inject: [KeyRing],
          useFactory: (ring: KeyRing) =>
            new PartnerService(openPartner(platform.environment, platform.now), ring, (err) =>
              platform.logger.error({ err }, 'the stored tokens of a partner cannot be decrypted'),
            ),
        },
        { provide: CallLog, useValue: new CallLog(platform) },
        OpenAiAnswers,
        { provide: LensUses, useValue: new LensUses(platform) },
        {
          provide: OpenConnections,
          inject: [Bearer],
          useFactory: (bearer: Bearer) => new OpenConnections(platform, bearer),
        },
        {
          provide: LogStreams,
          inject: [OpenConnections],
          useFactory: (connections: OpenConnections) => openStreams(platform, connections),
        },
        {
          provide: GroupStreams,
          inject: [OpenConnections],
          useFactory: (connections: OpenConnections) => openGroups(platform, connections),
        },
      ],
    };
  }
}

function startRunChanges(platform: Platform<GatewayEnvironment>): void {
  const { environment, database } = platform;
  limitRuns(database, { ...environment.runLimits, processes: environment.LENSFORGE_REPLICAS_API_GATEWAY });
  const ctx = platformContext(platform);
  startRunChangesPublisher(platform, { admit: (targets) => admitWaiting(ctx, targets) });
}

function openStreams(platform: Platform<GatewayEnvironment>, connections: OpenConnections): LogStreams {
  const { environment, logger: log, drain } = platform;
  const subscriber = createSubscriber({ server: environment.redisAddress, prefix: environment.REDIS_PREFIX, log });
  const streams = new LogStreams(platform, subscriber, connections);
  drain.onDrain('event streams', () => {
    streams.close();
    connections.close();
  });
  drain.onExit('subscriber', () => subscriber.close());
  return streams;
}

function openGroups(platform: Platform<GatewayEnvironment>, connections: OpenConnections): GroupStreams {
  const groups = new GroupStreams(platform, connections);
  platform.drain.onDrain('group streams', () => groups.close());
  return groups;
}
