# The service, without a compiler and without root: docker build -t widl . && docker run --read-only --tmpfs /tmp \
#   -v "$PWD/model:/model:ro" -p 8000:8000 widl
FROM python:3.12-slim AS build
RUN apt-get update -qq && apt-get install -y -qq g++ make
COPY . /source
RUN pip install --no-cache-dir --prefix /installed "/source[translation,headline,explore]"

FROM python:3.12-slim
COPY --from=build /installed /usr/local
USER nobody
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health')"]
ENTRYPOINT ["widl", "serve"]
CMD ["/model", "--host", "0.0.0.0", "--port", "8000"]
