package io.dynajournal.internal.projection;

import akka.projection.HandlerRecoveryStrategy;
import akka.projection.ProjectionId;
import akka.projection.StatusObserver;

/** Passes what the toolkit reports of a run to the status, and to the application's observer. */
final class ReportingObserver<E> extends StatusObserver<E> {

    private final StatusObserver<E> users;
    private final ProjectionStatus status;

    ReportingObserver(StatusObserver<E> users, ProjectionStatus status) {
        this.users = users;
        this.status = status;
    }

    @Override
    public void started(ProjectionId projectionId) {
        status.starting();
        users.started(projectionId);
    }

    @Override
    public void failed(ProjectionId projectionId, Throwable cause) {
        status.failed(cause);
        users.failed(projectionId, cause);
    }

    @Override
    public void stopped(ProjectionId projectionId) {
        users.stopped(projectionId);
    }

    @Override
    public void beforeProcess(ProjectionId projectionId, E envelope) {
        users.beforeProcess(projectionId, envelope);
    }

    @Override
    public void afterProcess(ProjectionId projectionId, E envelope) {
        status.handled();
        users.afterProcess(projectionId, envelope);
    }

    @Override
    public void offsetProgress(ProjectionId projectionId, E envelope) {
        users.offsetProgress(projectionId, envelope);
    }

    @Override
    public void error(
            ProjectionId projectionId, E envelope, Throwable cause, HandlerRecoveryStrategy recoveryStrategy) {
        users.error(projectionId, envelope, cause, recoveryStrategy);
    }
}
