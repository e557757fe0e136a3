import { type Message, type MessageDetail, type Mute, type Unmuted, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  deleteMessage,
  editMessage,
  hideMessage,
  listMessages,
  listMutes,
  muteMember,
  postMessage,
  readMessage,
  unmuteMember,
} from '@lensforge/threads';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

/** The messages of threads, and the accounts that must not write there. */
@Controller()
export class MessagesController {
  @Serves(endpoints.listMessages)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listMessages>,
  ): Promise<ListResponse<Message>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listMessages(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.postMessage)
  post(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.postMessage>): Promise<Message> {
    return postMessage(ctx, { ...body, ...params });
  }

  @Serves(endpoints.getMessage)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getMessage>): Promise<MessageDetail> {
    return withDbRetry(() => readMessage(ctx, params));
  }

  @Serves(endpoints.editMessage)
  edit(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.editMessage>): Promise<Message> {
    return editMessage(ctx, { ...body, ...params });
  }

  @Serves(endpoints.deleteMessage)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.deleteMessage>): Promise<Message> {
    return deleteMessage(ctx, params);
  }

  @Serves(endpoints.hideMessage)
  hide(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.hideMessage>): Promise<Message> {
    return hideMessage(ctx, { ...body, ...params });
  }

  @Serves(endpoints.listMutes)
  async mutes(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listMutes>,
  ): Promise<ListResponse<Mute>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listMutes(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.muteMember)
  mute(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.muteMember>): Promise<Mute> {
    return muteMember(ctx, params);
  }

  @Serves(endpoints.unmuteMember)
  unmute(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.unmuteMember>): Promise<Unmuted> {
    return unmuteMember(ctx, params);
  }
}
