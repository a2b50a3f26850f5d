"""A fetcher over a dict of answers: workflows without network."""

from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure, FetchResult
from arborist_pipeline_tests.support.builders import make_result


class AnswerFetcher:
    """Answers from a dict of URL to body, status, (status, location), FailureKind or keywords; others get 404.

    `asked` has each request as "METHOD URL".
    """

    def __init__(self, answers) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def fetch(self, request) -> FetchResult:
        self.asked.append(f"{request.method} {request.url}")
        return self._result(request.url, self.answers.get(request.url, 404))

    def _result(self, url, answer):
        match answer:
            case FailureKind():
                return make_result(url=url, failure=FetchFailure(kind=answer, message="no luck"))
            case int():
                return make_result(url=url, status=answer)
            case (int() as status, str() as location):
                return make_result(url=url, status=status, location=location)
            case dict():
                return make_result(url=url, **answer)
        return make_result(answer, url=url)
