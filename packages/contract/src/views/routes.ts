import { z } from 'zod'
import { route } from '../route.ts'
import { newView, view, viewChange, viewNotifications, viewPreference } from './view.ts'

const access = 'signed-in'

/**
 * For all users, since views show no data that their list does not. Who may see or change one depends on its audience, its owner
 * and the permissions for its list.
 */
export const viewsRoutes = {
  listViews: route('GET', '/api/views', {
    summary:
      "The views that the caller may open: their own, those shared with everyone and those shared with one of the caller's roles, each only if the caller may open its list",
    access,
    response: z.array(view),
  }),
  createView: route('POST', '/api/views', {
    summary:
      'Saves a view of a list, for oneself, for a role that one has, or for everyone. 403 if the caller may not open the list or lacks the role; administrators may choose any role. 409 if they have 200 views already. 422 if one of their views of this list has the same name.',
    access,
    body: newView,
    status: 201,
    response: view,
    errors: [403, 409],
  }),
  editView: route('PUT', '/api/views/:id', {
    summary:
      'Changes a view. 403 unless the caller owns it or is an administrator. 409 if it has changed since `updated_at`.',
    access,
    body: viewChange,
    errors: [403, 409],
  }),
  deleteView: route('DELETE', '/api/views/:id', {
    summary: 'Deletes a view. 403 unless the caller owns it or is an administrator.',
    access,
    errors: [403],
  }),
  editViewPreference: route('PUT', '/api/views/:id/preference', {
    summary:
      'Whether a view is in the caller’s sidebar, and whether the list opens with it. A list has one default.',
    access,
    body: viewPreference,
  }),
  editViewNotifications: route('PUT', '/api/views/:id/notifications', {
    summary:
      'Whether, and how, the caller is notified when a row enters a view: in the console alone, or by a mail once a day or at once, too. Rows are those that the caller may see at that moment. 422 for lists and searches that the server cannot evaluate, 403 for deleted webs without `restore webs`.',
    access,
    body: viewNotifications,
    errors: [403],
  }),
} as const
